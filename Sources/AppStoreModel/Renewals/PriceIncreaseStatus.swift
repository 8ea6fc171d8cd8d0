/// Whether the customer has answered a price increase.
///
/// Source: `priceIncreaseStatus` of Apple's `JWSRenewalInfoDecodedPayload`.
public enum PriceIncreaseStatus: Hashable, Sendable {
  case notAnswered
  /// Consented, or was informed where consent is not needed.
  case consented
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension PriceIncreaseStatus: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 0: self = .notAnswered
    case 1: self = .consented
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .notAnswered: 0
    case .consented: 1
    case .unknown(let value): value
    }
  }
}
