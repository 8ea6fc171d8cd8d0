import AppStoreModel

/// Says in plain words what a signed payload means, as a support engineer would want to read it.
struct Explanation {
  let notification: ResponseBodyV2DecodedPayload?
  let transaction: JWSTransactionDecodedPayload?
  let renewal: JWSRenewalInfoDecodedPayload?

  /// What is said of a payload that is proved and cannot be read.
  static let opaque =
    "The signature is good, but the payload has a shape that this version does not know: "
    + "a server keeps it, acknowledges it, and changes nothing."

  init(
    notification: ResponseBodyV2DecodedPayload? = nil,
    transaction: JWSTransactionDecodedPayload? = nil, renewal: JWSRenewalInfoDecodedPayload? = nil
  ) {
    self.notification = notification
    self.transaction = transaction
    self.renewal = renewal
  }

  /// Shape: sentences, the most important first.
  var text: String {
    guard let notification else { return aloneText }
    return ([NotificationMeaning(notification).sentence] + details(of: notification))
      .joined(separator: " ")
  }

  private var aloneText: String {
    if let transaction { return PurchaseMeaning(transaction).sentences.joined(separator: " ") }
    if let renewal { return RenewalMeaning(renewal).sentences.joined(separator: " ") }
    return "The download of an app: it proves which Apple Account installed which version first."
  }

  private func details(of notification: ResponseBodyV2DecodedPayload) -> [String] {
    guard let transaction else { return [] }
    let purchase = PurchaseMeaning(transaction)
    switch notification.notificationType {
    case .refund:
      return [refundReach(notification), purchase.money].compactMap { $0 } + [purchase.what]
    case .revoke: return [purchase.loss, purchase.what]
    case .refundReversed:
      return [
        "The revocation is gone from the transaction; its dates are what they were before.",
        purchase.what,
      ]
    default: return [purchase.what]
    }
  }

  /// What a refund does to access: it may be of a period that is long over.
  private func refundReach(_ notification: ResponseBodyV2DecodedPayload) -> String? {
    guard transaction?.type == .autoRenewableSubscription || notification.data?.status != nil else {
      return transaction.map { PurchaseMeaning($0).loss }
    }
    switch notification.data?.status {
    case .active, .billingGracePeriod:
      let which =
        isOver(at: notification.signedDate)
        ? "It is a refund of an earlier renewal."
        : "The refunded period is not over, but another one covers the present."
      return which + " The subscription itself stays active\(until): "
        + "take the money into account, not the access."
    case .revoked: return "The status is revoked: access ended at the revocation date."
    case .expired, .billingRetry:
      return "The subscription was not active any more, so there is no access to take."
    case .unknown(let code):
      return "The subscription's status is \(code), which is not known: ask Apple for it."
    case nil: return "It carries no status: decide by all transactions of the subscription."
    }
  }

  /// Whether the transaction's period had ended when the notification was signed.
  private func isOver(at moment: Timestamp?) -> Bool {
    guard let moment, let end = transaction?.expiresDate else { return false }
    return end <= moment
  }

  private var until: String {
    let end = renewal?.gracePeriodExpiresDate ?? renewal?.renewalDate
    return end.map { " until " + $0.rfc3339 } ?? ""
  }
}
