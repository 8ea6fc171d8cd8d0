/// Why an answer to a consumption request must not be sent, in order of precedence.
public enum ConsumptionFault: Error, CaseIterable, Hashable, Sendable {
  /// The customer did not allow it; then nothing at all may be sent.
  case noConsent
  /// Shared or assigned: the request does not concern this customer's money.
  case notPurchased
  /// Advanced Commerce purchases take the answer of version 1.
  case advancedCommerce
  /// Version 1 takes Advanced Commerce purchases only.
  case notAdvancedCommerce
  /// A percentage outside of 0 to 100,000 milliunits.
  case percentageOutOfRange
  /// A percentage for an auto-renewable subscription, which Apple computes itself.
  case percentageOfSubscription
  /// A percentage other than 0 of what was not delivered.
  case percentageOfUndelivered
  /// A prorated refund of a one-time purchase without a percentage between nothing and all.
  case prorationWithoutPart
  /// An account token that is neither a UUID nor empty.
  case badAccountToken
}

extension ConsumptionFault {
  /// What Apple would have answered; `nil` where the number is not published or we are stricter.
  public var appleCode: AppleErrorCode? {
    switch self {
    case .noConsent: .invalidCustomerConsented
    case .notPurchased: .familyTransactionNotSupported
    case .notAdvancedCommerce: .invalidTransactionTypeNotSupported
    case .percentageOfSubscription: .consumptionPercentageAutoRenewableSubscription
    case .badAccountToken: .invalidAppAccountToken
    case .advancedCommerce, .percentageOutOfRange, .percentageOfUndelivered, .prorationWithoutPart:
      nil
    }
  }

  /// Always false: the same answer stays wrong.
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .noConsent: "Record the customer's consent first, or let the request pass unanswered."
    case .notPurchased: "Let the request pass unanswered."
    case .advancedCommerce: "Answer with version 1."
    case .notAdvancedCommerce: "Answer with version 2."
    case .percentageOutOfRange: "Give 0 to 100,000: 50,000 is half."
    case .percentageOfSubscription: "Leave the percentage out."
    case .percentageOfUndelivered: "Give 0, or leave the percentage out."
    case .prorationWithoutPart: "Give more than 0 and less than 100,000, or prefer another outcome."
    case .badAccountToken: "Give the account's UUID, or none."
    }
  }
}

extension ConsumptionFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noConsent: "the customer has not consented"
    case .notPurchased: "the transaction is shared or assigned, not purchased"
    case .advancedCommerce: "an Advanced Commerce purchase cannot be answered with version 2"
    case .notAdvancedCommerce: "only Advanced Commerce purchases are answered with version 1"
    case .percentageOutOfRange: "the consumption percentage is outside of 0 to 100,000"
    case .percentageOfSubscription: "an auto-renewable subscription takes no percentage"
    case .percentageOfUndelivered: "what was not delivered cannot be consumed"
    case .prorationWithoutPart: "a prorated refund needs the part that was consumed"
    case .badAccountToken: "the account token is not a UUID"
    }
  }
}
