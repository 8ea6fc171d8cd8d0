/// How an offer is paid.
///
/// Source: `offerDiscountType` of Apple's `JWSTransactionDecodedPayload`.
public enum OfferDiscountType: Hashable, Sendable {
  case freeTrial
  case payAsYouGo
  case payUpFront
  case oneTime
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension OfferDiscountType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "FREE_TRIAL": self = .freeTrial
    case "PAY_AS_YOU_GO": self = .payAsYouGo
    case "PAY_UP_FRONT": self = .payUpFront
    case "ONE_TIME": self = .oneTime
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .freeTrial: "FREE_TRIAL"
    case .payAsYouGo: "PAY_AS_YOU_GO"
    case .payUpFront: "PAY_UP_FRONT"
    case .oneTime: "ONE_TIME"
    case .unknown(let value): value
    }
  }
}
