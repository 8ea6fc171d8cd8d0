/// The kind of product that was bought.
///
/// Source: `type` of Apple's `JWSTransactionDecodedPayload`.
public enum ProductType: Hashable, Sendable {
  case autoRenewableSubscription
  case nonConsumable
  case consumable
  case nonRenewingSubscription
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension ProductType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "Auto-Renewable Subscription": self = .autoRenewableSubscription
    case "Non-Consumable": self = .nonConsumable
    case "Consumable": self = .consumable
    case "Non-Renewing Subscription": self = .nonRenewingSubscription
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .autoRenewableSubscription: "Auto-Renewable Subscription"
    case .nonConsumable: "Non-Consumable"
    case .consumable: "Consumable"
    case .nonRenewingSubscription: "Non-Renewing Subscription"
    case .unknown(let value): value
    }
  }
}
