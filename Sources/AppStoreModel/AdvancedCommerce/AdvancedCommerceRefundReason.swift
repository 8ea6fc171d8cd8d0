/// Why an Advanced Commerce item was refunded.
///
/// Source: `refundReason` of Apple's `AdvancedCommerceRefund`.
public enum AdvancedCommerceRefundReason: Hashable, Sendable {
  case unintendedPurchase
  case fulfillmentIssue
  case unsatisfiedWithPurchase
  case legal
  case other
  case modifyItemsRefund
  case simulateRefundDecline
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension AdvancedCommerceRefundReason: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "UNINTENDED_PURCHASE": self = .unintendedPurchase
    case "FULFILLMENT_ISSUE": self = .fulfillmentIssue
    case "UNSATISFIED_WITH_PURCHASE": self = .unsatisfiedWithPurchase
    case "LEGAL": self = .legal
    case "OTHER": self = .other
    case "MODIFY_ITEMS_REFUND": self = .modifyItemsRefund
    case "SIMULATE_REFUND_DECLINE": self = .simulateRefundDecline
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
    case .modifyItemsRefund: "MODIFY_ITEMS_REFUND"
    case .simulateRefundDecline: "SIMULATE_REFUND_DECLINE"
    case .unknown(let value): value
    }
  }
}
