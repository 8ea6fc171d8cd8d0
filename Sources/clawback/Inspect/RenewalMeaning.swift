import AppStoreModel

/// What renewal information says about the future of a subscription.
struct RenewalMeaning {
  let renewal: JWSRenewalInfoDecodedPayload

  init(_ renewal: JWSRenewalInfoDecodedPayload) {
    self.renewal = renewal
  }

  var sentences: [String] {
    [
      "Renewal information of subscription \(renewal.originalTransactionId ?? "without id").",
      plan, trouble, grace,
    ].compactMap { $0 }
  }

  private var plan: String? {
    let product = renewal.autoRenewProductId.map { " as " + $0 } ?? ""
    let date = renewal.renewalDate.map { " at " + $0.rfc3339 } ?? ""
    switch renewal.autoRenewStatus {
    case .on: return "It will renew\(product)\(date)."
    case .off: return "It will not renew; what is paid runs out\(date)."
    case .unknown(let code): return "Whether it renews has the unknown number \(code)."
    case nil: return nil
    }
  }

  private var trouble: String? {
    if renewal.isInBillingRetryPeriod == true { return "Apple is trying to collect the payment." }
    switch renewal.expirationIntent {
    case .customerCancelled: return "It ended because the customer cancelled."
    case .billingError: return "It ended because the payment failed."
    case .noConsentToPriceIncrease: return "It ended without consent to a price increase."
    case .productUnavailable: return "It ended because the product is not for sale any more."
    case .other: return "It ended for another reason."
    case .unknown(let code): return "It ended for a reason with the unknown number \(code)."
    case nil: return nil
    }
  }

  private var grace: String? {
    renewal.gracePeriodExpiresDate.map { "Access goes on in the grace period until \($0.rfc3339)." }
  }
}
