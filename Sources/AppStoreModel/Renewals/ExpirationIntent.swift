/// Why a subscription ended.
///
/// Source: `expirationIntent` of Apple's `JWSRenewalInfoDecodedPayload`.
public enum ExpirationIntent: Hashable, Sendable {
  case customerCancelled
  case billingError
  case noConsentToPriceIncrease
  case productUnavailable
  case other
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension ExpirationIntent: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 1: self = .customerCancelled
    case 2: self = .billingError
    case 3: self = .noConsentToPriceIncrease
    case 4: self = .productUnavailable
    case 5: self = .other
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .customerCancelled: 1
    case .billingError: 2
    case .noConsentToPriceIncrease: 3
    case .productUnavailable: 4
    case .other: 5
    case .unknown(let value): value
    }
  }
}
