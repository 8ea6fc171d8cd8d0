/// Whether the customer paid, or has access through somebody who did.
///
/// Source: `inAppOwnershipType` of Apple's `JWSTransactionDecodedPayload`.
public enum InAppOwnershipType: Hashable, Sendable {
  case purchased
  case familyShared
  /// A seat of a multiseat subscription.
  case assigned
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension InAppOwnershipType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "PURCHASED": self = .purchased
    case "FAMILY_SHARED": self = .familyShared
    case "ASSIGNED": self = .assigned
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .assigned: "ASSIGNED"
    case .unknown(let value): value
    }
  }
}
