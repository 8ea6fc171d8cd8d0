/// The kind of offer that was redeemed.
///
/// Source: `offerType` of Apple's `JWSTransactionDecodedPayload`.
public enum OfferType: Hashable, Sendable {
  case introductory
  case promotional
  case offerCode
  case winBack
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension OfferType: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 1: self = .introductory
    case 2: self = .promotional
    case 3: self = .offerCode
    case 4: self = .winBack
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .introductory: 1
    case .promotional: 2
    case .offerCode: 3
    case .winBack: 4
    case .unknown(let value): value
    }
  }
}
