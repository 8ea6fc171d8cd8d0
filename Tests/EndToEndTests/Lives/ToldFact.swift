import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage

/// One thing that reached us of a life, ready to be stored, with a line for people.
struct ToldFact {
  let line: String
  let delivery: Delivery
  let transactionId: String?
  /// The revocation that its copy of the transaction shows.
  var revokedAt: Timestamp?
  /// When it says that a refund was undone.
  var reversedAt: Timestamp?
}

/// Makes facts without their cryptography, which a hundred thousand lives cannot wait for.
struct FactMaker {
  let scope: Scope

  private static let header = Array("eyJhbGciOiJFUzI1NiJ9".utf8)
  private static let headerHash = Fingerprint(of: header).bytes

  func notification(
    _ notification: UnsignedNotification, _ channel: Channel, at now: Timestamp
  ) throws -> ToldFact? {
    guard let transaction = notification.transaction else { return nil }
    var payload = notification.payload
    let inner = record(.transaction, transaction.json())
    let renewal = notification.renewal.map { record(.renewalInfo, $0.json()) }
    payload.data?.signedTransactionInfo = text(inner)
    payload.data?.signedRenewalInfo = renewal.map(text)
    let fact = try LedgerFact.from(
      proved(payload), transaction: proved(transaction),
      renewal: notification.renewal.map { proved($0) }, channel: channel)
    let body = record(.notification, payload.json(), [inner] + [renewal].compactMap { $0 })
    let status = payload.data?.status.map { " st\($0.rawValue)" } ?? ""
    let date = payload.signedDate.map(Self.day) ?? "undated"
    return ToldFact(
      line: "\(channel.rawValue) \(date) \(notification.title)\(status) \(describe(transaction))",
      delivery: Delivery(
        effect: .applied(fact), body: .signed(body), channel: channel, receivedAt: now),
      transactionId: transaction.transactionId, revokedAt: transaction.revocationDate,
      reversedAt: payload.notificationType == .refundReversed ? payload.signedDate : nil)
  }

  func transaction(
    _ payload: JWSTransactionDecodedPayload, _ channel: Channel, at now: Timestamp
  ) throws -> ToldFact {
    ToldFact(
      line: "\(channel.rawValue) \(describe(payload))",
      delivery: Delivery(
        effect: .applied(try .from(proved(payload), channel: channel)),
        body: .signed(record(.transaction, payload.json())), channel: channel, receivedAt: now),
      transactionId: payload.transactionId, revokedAt: payload.revocationDate)
  }

  func status(
    _ status: SubscriptionStatus, _ transaction: JWSTransactionDecodedPayload,
    _ renewal: JWSRenewalInfoDecodedPayload, at now: Timestamp
  ) throws -> ToldFact {
    let fact = try ReportedStatus(
      status, transaction: proved(transaction), renewal: proved(renewal), channel: .poll)
    return ToldFact(
      line: "poll st\(status.rawValue) \(describe(transaction))",
      delivery: Delivery(
        effect: .applied(.status(fact)),
        body: .reportedStatus(
          status, transaction: record(.transaction, transaction.json()),
          renewal: record(.renewalInfo, renewal.json())), channel: .poll, receivedAt: now),
      transactionId: transaction.transactionId, revokedAt: transaction.revocationDate)
  }

  private func proved<Payload: Sendable>(_ payload: Payload) -> Verified<Payload> {
    Verified(proved: payload, realm: scope.realm, judgedAt: Timestamp(millisecondsSince1970: 0))
  }

  private func record(
    _ kind: SignedRecord.Kind, _ payload: [UInt8], _ parts: [SignedRecord] = []
  ) -> SignedRecord {
    SignedRecord(
      kind: kind, headerSegment: Self.header, headerSHA256: Self.headerHash, payload: payload,
      signature: Digest.sha256.hash(payload) + [UInt8](repeating: 7, count: 32),
      judgedAt: Timestamp(millisecondsSince1970: 0), parts: parts)
  }

  private func text(_ record: SignedRecord) -> String {
    String(decoding: record.compactForm(), as: UTF8.self)
  }

  private func describe(_ payload: JWSTransactionDecodedPayload) -> String {
    let product = payload.productId?.split(separator: ".").last
    var words = ["\(product ?? "-")", "\(payload.transactionId?.suffix(4) ?? "-")"]
    if let date = payload.purchaseDate { words.append("from \(Self.day(date))") }
    if let date = payload.expiresDate { words.append("to \(Self.day(date))") }
    if let date = payload.signedDate { words.append("signed \(Self.day(date))") }
    if payload.isUpgraded == true { words.append("upgraded") }
    if let date = payload.revocationDate { words.append("revoked \(Self.day(date))") }
    return words.joined(separator: " ")
  }

  /// Shape: days and minutes since the first purchase.
  static func day(_ moment: Timestamp) -> String {
    let minutes = (moment.millisecondsSince1970 - 1_780_000_000_000) / 60_000
    return "d\(minutes / 1_440)+\(minutes % 1_440)"
  }
}
