import AppStoreModel
import EntitlementLedger

// The same words as payloads of Apple's, proved by the test itself.

extension Statement {
  static let bundleId = "com.example.app"
  static let scope = Scope(realm: .apple, bundleId: bundleId, environment: .production)

  /// As the real ledger takes it.
  func fact() throws -> LedgerFact {
    switch self {
    case .notice(let notice, let channel):
      .notification(
        try NotificationFact(
          Self.proved(notice.payload), transaction: notice.copy.map { Self.proved($0.payload) },
          renewal: notice.renewal.map { Self.proved($0.payload) }, channel: channel))
    case .transaction(let copy, let channel):
      .transaction(try TransactionFact(Self.proved(copy.payload), channel: channel))
    case .renewal(let renewal, let channel):
      .renewal(
        try RenewalFact(
          Self.proved(renewal.payload), bundleId: Self.bundleId, channel: channel))
    case .report(let report):
      .status(
        try ReportedStatus(
          SubscriptionStatus(rawValue: report.status),
          transaction: Self.proved(report.copy.payload),
          renewal: Self.proved(report.renewal.payload),
          channel: report.source == .api ? .poll : .device))
    }
  }

  private static func proved<Payload>(_ payload: Payload) -> Verified<Payload> {
    Verified(proved: payload, realm: .apple, judgedAt: .day(0))
  }
}

extension Notice {
  var payload: ResponseBodyV2DecodedPayload {
    var data = NotificationData()
    data.bundleId = Statement.bundleId
    data.environment = .production
    data.status = status.map(SubscriptionStatus.init(rawValue:))
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = NotificationType(rawValue: type)
    payload.notificationUUID = uuid
    payload.signedDate = signed
    payload.data = data
    return payload
  }
}

extension Copy {
  var payload: JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.bundleId = Statement.bundleId
    payload.environment = .production
    payload.transactionId = id
    payload.originalTransactionId = original
    payload.previousOriginalTransactionId = previousOriginal
    payload.productId = product
    payload.type = ProductType(rawValue: kind.rawValue)
    payload.inAppOwnershipType = InAppOwnershipType(rawValue: owner.rawValue)
    payload.purchaseDate = purchased
    payload.expiresDate = expires
    payload.signedDate = signed
    payload.isUpgraded = isUpgraded ? true : nil
    payload.quantity = quantity
    payload.price = price
    payload.currency = price == nil ? nil : currency
    payload.appAccountToken = token
    payload.appTransactionId = appTransaction
    payload.revocationDate = revoked?.date
    payload.revocationReason = revoked?.reason.map(RevocationReason.init(rawValue:))
    payload.revocationType = revoked?.type.map(RevocationType.init(rawValue:))
    payload.revocationPercentage = revoked?.share
    payload.advancedCommerceInfo = advancedCommerceRefund.map(Self.advancedCommerce)
    return payload
  }

  private static func advancedCommerce(refund: Int64) -> AdvancedCommerceTransactionInfo {
    var part = AdvancedCommerceRefund()
    part.refundAmount = refund
    var item = AdvancedCommerceTransactionItem()
    item.refunds = [part]
    var info = AdvancedCommerceTransactionInfo()
    info.items = [item]
    return info
  }
}

extension RenewalNote {
  var payload: JWSRenewalInfoDecodedPayload {
    var payload = JWSRenewalInfoDecodedPayload()
    payload.environment = .production
    payload.originalTransactionId = original
    payload.signedDate = signed
    payload.autoRenewStatus = AutoRenewStatus(rawValue: autoRenews ? 1 : 0)
    payload.expirationIntent = expirationIntent.map(ExpirationIntent.init(rawValue:))
    payload.isInBillingRetryPeriod = isInRetry
    payload.gracePeriodExpiresDate = graceUntil
    payload.renewalDate = renewalDate
    return payload
  }
}
