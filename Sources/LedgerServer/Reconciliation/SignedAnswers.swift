import AppStoreModel
import AppStoreVerification
import EntitlementLedger
import LedgerStorage

/// Verifies what Apple's API answers, and turns it into what the ledger takes.
///
/// An answer that does not verify, or is about another app or environment, is no answer.
struct SignedAnswers: Sendable {
  let verifier: SignedDataVerifier
  let scope: Scope

  /// One entry of notification history; `nil` for a text in which nothing names a notification.
  func historyItem(
    _ entry: NotificationHistoryPage.Entry, at now: Timestamp
  ) -> HistoryItem? {
    let text = Array(entry.signedPayload.utf8)
    do throws(VerificationError) {
      let notification = try verifier.verifyNotification(text, now: now)
      return item(notification, text, entry, at: now)
    } catch {
      return refusedItem(text, error, entry, at: now)
    }
  }

  private func item(
    _ notification: VerifiedNotification, _ text: [UInt8],
    _ entry: NotificationHistoryPage.Entry, at now: Timestamp
  ) -> HistoryItem? {
    guard let payload = notification.outer.payload, let uuid = payload.notificationUUID,
      !uuid.isEmpty
    else { return nil }
    let transaction = notification.transaction?.payload
    return HistoryItem(
      notificationUUID: uuid, type: payload.notificationType?.rawValue,
      subtype: payload.subtype?.rawValue, signedDate: payload.signedDate,
      originalTransactionId: transaction?.originalTransactionId,
      transactionId: transaction?.transactionId, textSHA256: Fingerprint(of: text).bytes,
      attempts: entry.attempts,
      delivery: Delivery(notification, channel: .history, receivedAt: now), refusal: nil)
  }

  /// What cannot be verified is kept for the operator, and its gap named by what it claims.
  private func refusedItem(
    _ text: [UInt8], _ error: VerificationError, _ entry: NotificationHistoryPage.Entry,
    at now: Timestamp
  ) -> HistoryItem? {
    let sha256 = Fingerprint(of: text).bytes
    return HistoryItem(
      notificationUUID: "unverified:" + Fingerprint(of: text).hexadecimal, type: nil,
      subtype: nil, signedDate: nil, originalTransactionId: nil, transactionId: nil,
      textSHA256: sha256, attempts: entry.attempts, delivery: nil,
      refusal: QuarantinedItem(
        text, isChainTrusted: error.isOriginProved, sha256: sha256,
        channel: Channel.history.rawValue, reason: error.description, receivedAt: now))
  }

  /// A transaction that was asked for.
  ///
  /// - Parameters:
  ///   - text: A compact JWS.
  ///   - id: The one that was asked for; `nil` where any of a customer may come.
  ///   - channel: The way in.
  ///   - now: When it came.
  /// - Returns: What the ledger takes, and what it says.
  /// - Throws: ``QuestionFailure/unproved(detail:)``.
  func transaction(
    _ text: String, of id: String? = nil, channel: Channel, at now: Timestamp
  ) throws(QuestionFailure) -> (delivery: Delivery, copy: JWSTransactionDecodedPayload) {
    let document = try proved { () throws(VerificationError) in
      try verifier.verifyTransaction(Array(text.utf8), now: now)
    }
    guard let payload = document.payload else {
      throw .unproved(detail: "it is no transaction")
    }
    try checkSubject(payload)
    if let id, payload.transactionId != id {
      throw .unproved(detail: "it is about another transaction than the one that was asked about")
    }
    return (Delivery(document, channel: channel, receivedAt: now), payload)
  }

  /// A status bound to what was signed beside it.
  ///
  /// - Throws: ``QuestionFailure/unproved(detail:)``.
  func status(
    _ stated: StatedStatus, channel: Channel, at now: Timestamp
  ) throws(QuestionFailure) -> (delivery: Delivery, copy: JWSTransactionDecodedPayload) {
    let transaction = try proved { () throws(VerificationError) in
      try verifier.verifyTransaction(Array(stated.signedTransaction.utf8), now: now)
    }
    guard let verified = transaction.verified else {
      throw .unproved(detail: "it is no transaction")
    }
    try checkSubject(verified.payload)
    let renewal = try stated.signedRenewal.map { (text) throws(QuestionFailure) in
      try proved { () throws(VerificationError) in
        try verifier.verifyRenewalInfo(Array(text.utf8), now: now)
      }
    }
    let fact: ReportedStatus
    do throws(UnusableFact) {
      fact = try ReportedStatus(
        stated.status, transaction: verified, renewal: renewal?.verified, channel: channel,
        environment: scope.environment)
    } catch {
      throw .unproved(detail: error.description)
    }
    let body = Delivery.Body.reportedStatus(
      stated.status, transaction: SignedRecord(transaction, .transaction),
      renewal: renewal.map { SignedRecord($0, .renewalInfo) })
    let delivery = Delivery(
      effect: .applied(.status(fact)), body: body, channel: channel, receivedAt: now)
    return (delivery, verified.payload)
  }

  private func proved<Value>(
    _ verify: () throws(VerificationError) -> Value
  ) throws(QuestionFailure) -> Value {
    do throws(VerificationError) {
      return try verify()
    } catch {
      throw .unproved(detail: error.description)
    }
  }

  private func checkSubject(_ payload: JWSTransactionDecodedPayload) throws(QuestionFailure) {
    guard payload.bundleId == scope.bundleId else {
      throw .unproved(detail: "it is about another app")
    }
    if let environment = payload.environment, environment != scope.environment {
      throw .unproved(detail: "it is about another environment than \(scope.environment.rawValue)")
    }
  }
}
