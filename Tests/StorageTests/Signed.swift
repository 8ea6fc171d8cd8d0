import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// Makes what Apple would have signed for one app in the sandbox.
enum Signed {
  static let scope = Scope(realm: .apple, bundleId: "com.example.app", environment: .sandbox)
  static let header = Array("eyJhbGciOiJFUzI1NiJ9".utf8)
  static let start: Int64 = 1_700_000_000_000
  static let month: Int64 = 30 * 86_400_000

  static func at(_ minutes: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: start + minutes * 60_000)
  }

  static func customer(_ name: String) -> CustomerKey {
    CustomerKey(scope: scope, id: CustomerID(name) ?? .anonymous(appTransactionId: name))
  }

  static func key(_ originalTransactionId: String) -> ChainKey {
    ChainKey(scope: scope, originalTransactionId: originalTransactionId)
  }

  /// A subscription's purchase, signed `signed` minutes after the start.
  static func transaction(
    _ id: String, original: String? = nil, token: String? = nil, signed: Int64 = 0,
    bought: Int64 = 0, days: Int64 = 30, type: ProductType = .autoRenewableSubscription,
    revoked: Int64? = nil, edit: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
  ) -> JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.transactionId = id
    payload.originalTransactionId = original ?? id
    payload.bundleId = scope.bundleId
    payload.environment = scope.environment
    payload.productId = "pro.monthly"
    payload.type = type
    payload.inAppOwnershipType = .purchased
    payload.purchaseDate = at(bought)
    payload.originalPurchaseDate = at(bought)
    if type == .autoRenewableSubscription { payload.expiresDate = at(bought + days * 1_440) }
    payload.signedDate = at(signed)
    payload.quantity = 1
    payload.price = 9_990
    payload.currency = "USD"
    payload.appAccountToken = token
    if let revoked {
      payload.revocationDate = at(revoked)
      payload.revocationReason = .other
    }
    edit(&payload)
    return payload
  }

  static func renewal(_ original: String, signed: Int64, days: Int64 = 30)
    -> JWSRenewalInfoDecodedPayload
  {
    var payload = JWSRenewalInfoDecodedPayload()
    payload.originalTransactionId = original
    payload.productId = "pro.monthly"
    payload.autoRenewProductId = "pro.monthly"
    payload.autoRenewStatus = .on
    payload.environment = scope.environment
    payload.renewalDate = at(days * 1_440)
    payload.signedDate = at(signed)
    return payload
  }

  static func record(
    _ kind: SignedRecord.Kind, _ payload: [UInt8], parts: [SignedRecord] = []
  ) -> SignedRecord {
    SignedRecord(
      kind: kind, headerSegment: header, headerSHA256: Fingerprint(of: header).bytes,
      payload: payload,
      signature: Fingerprint(of: payload).bytes + [UInt8](repeating: 7, count: 32),
      judgedAt: at(0), parts: parts)
  }

  static func proved<Payload: Sendable>(_ payload: Payload) -> Verified<Payload> {
    Verified(proved: payload, realm: .apple, judgedAt: at(0))
  }

  /// A signed transaction that came alone.
  static func delivery(
    _ payload: JWSTransactionDecodedPayload, _ channel: Channel = .device, received: Int64 = 1
  ) throws -> Delivery {
    Delivery(
      effect: .applied(try .from(proved(payload), channel: channel)),
      body: .signed(record(.transaction, payload.json())), channel: channel,
      receivedAt: at(received))
  }

  /// A notification about a transaction.
  static func notification(
    _ type: NotificationType, _ uuid: String, _ transaction: JWSTransactionDecodedPayload,
    renewal: JWSRenewalInfoDecodedPayload? = nil, status: SubscriptionStatus? = nil,
    signed: Int64, received: Int64? = nil, channel: Channel = .notification
  ) throws -> Delivery {
    let parts =
      [record(.transaction, transaction.json())]
      + [renewal.map { record(.renewalInfo, $0.json()) }].compactMap { $0 }
    var data = NotificationData()
    data.bundleId = scope.bundleId
    data.environment = scope.environment
    data.status = status
    data.signedTransactionInfo = String(decoding: parts[0].compactForm(), as: UTF8.self)
    if renewal != nil {
      data.signedRenewalInfo = String(decoding: parts[1].compactForm(), as: UTF8.self)
    }
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = type
    payload.notificationUUID = uuid
    payload.signedDate = at(signed)
    payload.data = data
    let fact = try LedgerFact.from(
      proved(payload), transaction: proved(transaction), renewal: renewal.map { proved($0) },
      channel: channel)
    return Delivery(
      effect: .applied(fact), body: .signed(record(.notification, payload.json(), parts: parts)),
      channel: channel, receivedAt: at(received ?? signed + 1))
  }
}
