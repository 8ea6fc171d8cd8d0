/// Why the customer asks for a refund.
///
/// Source: `consumptionRequestReason` of Apple's `data` object.
public enum ConsumptionRequestReason: Hashable, Sendable {
  case unintendedPurchase
  case fulfillmentIssue
  case unsatisfiedWithPurchase
  case legal
  case other
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension ConsumptionRequestReason: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "UNINTENDED_PURCHASE": self = .unintendedPurchase
    case "FULFILLMENT_ISSUE": self = .fulfillmentIssue
    case "UNSATISFIED_WITH_PURCHASE": self = .unsatisfiedWithPurchase
    case "LEGAL": self = .legal
    case "OTHER": self = .other
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .unintendedPurchase: "UNINTENDED_PURCHASE"
    case .fulfillmentIssue: "FULFILLMENT_ISSUE"
    case .unsatisfiedWithPurchase: "UNSATISFIED_WITH_PURCHASE"
    case .legal: "LEGAL"
    case .other: "OTHER"
    case .unknown(let value): value
    }
  }
}
