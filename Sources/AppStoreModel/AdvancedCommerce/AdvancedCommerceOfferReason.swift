/// Why an Advanced Commerce item has an offer.
///
/// Source: `reason` of Apple's `AdvancedCommerceOffer`.
public enum AdvancedCommerceOfferReason: Hashable, Sendable {
  case acquisition
  case winBack
  case retention
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension AdvancedCommerceOfferReason: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "ACQUISITION": self = .acquisition
    case "WIN_BACK": self = .winBack
    case "RETENTION": self = .retention
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .acquisition: "ACQUISITION"
    case .winBack: "WIN_BACK"
    case .retention: "RETENTION"
    case .unknown(let value): value
    }
  }
}
