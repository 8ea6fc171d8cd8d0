/// How a subscription with a commitment is billed.
///
/// Source: `billingPlanType` of Apple's `JWSTransactionDecodedPayload`.
public enum BillingPlanType: Hashable, Sendable {
  case billedUpfront
  case monthly
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension BillingPlanType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "BILLED_UPFRONT": self = .billedUpfront
    case "MONTHLY": self = .monthly
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .billedUpfront: "BILLED_UPFRONT"
    case .monthly: "MONTHLY"
    case .unknown(let value): value
    }
  }
}
