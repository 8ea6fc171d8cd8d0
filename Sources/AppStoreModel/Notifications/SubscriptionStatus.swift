/// Where a subscription stands, as of a notification's outer date.
///
/// Source: `status` of Apple's `data` object.
public enum SubscriptionStatus: Hashable, Sendable {
  case active
  case expired
  /// The renewal is unpaid and access has ended.
  case billingRetry
  /// The renewal is unpaid and access goes on.
  case billingGracePeriod
  case revoked
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension SubscriptionStatus: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 1: self = .active
    case 2: self = .expired
    case 3: self = .billingRetry
    case 4: self = .billingGracePeriod
    case 5: self = .revoked
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .active: 1
    case .expired: 2
    case .billingRetry: 3
    case .billingGracePeriod: 4
    case .revoked: 5
    case .unknown(let value): value
    }
  }
}
