/// How much of an Advanced Commerce item was refunded.
///
/// Source: `refundType` of Apple's `AdvancedCommerceRefund`.
public enum AdvancedCommerceRefundType: Hashable, Sendable {
  case full
  case prorated
  case custom
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension AdvancedCommerceRefundType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "FULL": self = .full
    case "PRORATED": self = .prorated
    case "CUSTOM": self = .custom
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .full: "FULL"
    case .prorated: "PRORATED"
    case .custom: "CUSTOM"
    case .unknown(let value): value
    }
  }
}
