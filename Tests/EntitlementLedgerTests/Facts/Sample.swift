import AppStoreModel
import EntitlementLedger

/// Apple's payloads for tests of one rule at a time, proved by the test itself.
enum Sample {
  static let scope = Scope(realm: .apple, bundleId: "com.example.app", environment: .production)
  static let key = ChainKey(scope: scope, originalTransactionId: "1")

  /// A month's subscription from day 0, bought by the customer for 9.99 USD.
  static func month(
    _ id: String = "1", from start: Timestamp = .day(0), signed: Timestamp? = nil,
    _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
  ) -> JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.transactionId = id
    payload.originalTransactionId = "1"
    payload.bundleId = scope.bundleId
    payload.environment = .production
    payload.productId = "pro"
    payload.type = .autoRenewableSubscription
    payload.inAppOwnershipType = .purchased
    payload.purchaseDate = start
    payload.expiresDate = start.adding(.days(30))
    payload.signedDate = signed ?? start
    payload.price = 9_990
    payload.currency = "USD"
    change(&payload)
    return payload
  }

  /// A purchase made once on day 0.
  static func once(
    _ type: ProductType?, _ id: String = "1", signed: Timestamp = .day(0),
    _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
  ) -> JWSTransactionDecodedPayload {
    month(id, signed: signed) {
      $0.originalTransactionId = id
      $0.type = type
      $0.expiresDate = nil
      change(&$0)
    }
  }

  static func renewal(
    signed: Timestamp = .day(0),
    _ change: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
  ) -> JWSRenewalInfoDecodedPayload {
    var payload = JWSRenewalInfoDecodedPayload()
    payload.originalTransactionId = "1"
    payload.productId = "pro"
    payload.environment = .production
    payload.autoRenewStatus = .on
    payload.renewalDate = .day(30)
    payload.signedDate = signed
    change(&payload)
    return payload
  }

  static func envelope(
    _ type: NotificationType, _ signed: Timestamp?, uuid: String? = nil,
    status: SubscriptionStatus? = nil
  ) -> ResponseBodyV2DecodedPayload {
    var data = NotificationData()
    data.bundleId = scope.bundleId
    data.environment = .production
    data.status = status
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = type
    payload.notificationUUID = uuid ?? "\(type.rawValue) \(signed?.millisecondsSince1970 ?? 0)"
    payload.signedDate = signed
    payload.data = data
    return payload
  }

  static func proved<Payload>(_ payload: Payload, _ realm: Realm = .apple) -> Verified<Payload> {
    Verified(proved: payload, realm: realm, judgedAt: .day(0))
  }
}

// Facts made of them.

func notified(
  _ type: NotificationType, _ signed: Timestamp, _ transaction: JWSTransactionDecodedPayload?,
  _ renewal: JWSRenewalInfoDecodedPayload? = nil, status: SubscriptionStatus? = nil,
  uuid: String? = nil
) throws -> LedgerFact {
  try LedgerFact.from(
    Sample.proved(Sample.envelope(type, signed, uuid: uuid, status: status)),
    transaction: transaction.map { Sample.proved($0) }, renewal: renewal.map { Sample.proved($0) },
    channel: .notification)
}

func seen(
  _ transaction: JWSTransactionDecodedPayload, by channel: Channel = .device
) throws -> LedgerFact {
  try LedgerFact.from(Sample.proved(transaction), channel: channel)
}

func seen(_ renewal: JWSRenewalInfoDecodedPayload) throws -> LedgerFact {
  try LedgerFact.from(
    Sample.proved(renewal), bundleId: Sample.scope.bundleId, channel: .device)
}

func reported(
  _ status: SubscriptionStatus, _ transaction: JWSTransactionDecodedPayload,
  _ renewal: JWSRenewalInfoDecodedPayload? = nil, by channel: Channel = .poll
) throws -> LedgerFact {
  .status(
    try ReportedStatus(
      status, transaction: Sample.proved(transaction),
      renewal: renewal.map { Sample.proved($0) }, channel: channel))
}

func chain(_ facts: LedgerFact...) -> Chain {
  chain(facts)
}

func chain(_ facts: [LedgerFact]) -> Chain {
  Chain(key: facts.first?.chains.first ?? Sample.key, folding: facts, signedBy: .distantFuture)
}

extension JWSTransactionDecodedPayload {
  func revoked(
    _ date: Timestamp, signed: Timestamp? = nil, reason: RevocationReason? = .other,
    type: RevocationType? = nil, share: Int32? = nil
  ) -> JWSTransactionDecodedPayload {
    var copy = self
    copy.revocationDate = date
    copy.revocationReason = reason
    copy.revocationType = type
    copy.revocationPercentage = share
    copy.signedDate = signed ?? date
    return copy
  }
}
