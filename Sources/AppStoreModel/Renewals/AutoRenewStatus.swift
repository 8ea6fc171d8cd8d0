/// Whether a subscription renews at its end.
///
/// Source: `autoRenewStatus` of Apple's `JWSRenewalInfoDecodedPayload`.
public enum AutoRenewStatus: Hashable, Sendable {
  case off
  case on
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension AutoRenewStatus: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 0: self = .off
    case 1: self = .on
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .off: 0
    case .on: 1
    case .unknown(let value): value
    }
  }
}
