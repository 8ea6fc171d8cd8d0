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
  /// - Throws: ``UnprovedAnswer`` with the text.
  func transaction(
    _ text: String, of id: String? = nil, channel: Channel, at now: Timestamp
  ) throws(UnprovedAnswer) -> (delivery: Delivery, copy: JWSTransactionDecodedPayload) {
    let evidence = Evidence(text, channel: channel, receivedAt: now)
    let document = try evidence.proved { (text) throws(VerificationError) in
      try verifier.verifyTransaction(text, now: now)
    }
    guard let payload = document.payload else {
      throw evidence.refused("it is no transaction")
    }
    if let fault = subjectFault(payload) { throw evidence.refused(fault) }
    if let id, payload.transactionId != id {
      throw evidence.refused(
        "it is about another transaction than the one that was asked about")
    }
    return (Delivery(document, channel: channel, receivedAt: now), payload)
  }

  /// A status bound to what was signed beside it.
  ///
  /// - Throws: ``UnprovedAnswer`` with the text that is at fault.
  func status(
    _ stated: StatedStatus, channel: Channel, at now: Timestamp
  ) throws(UnprovedAnswer) -> (delivery: Delivery, copy: JWSTransactionDecodedPayload) {
    let evidence = Evidence(stated.signedTransaction, channel: channel, receivedAt: now)
    let transaction = try evidence.proved { (text) throws(VerificationError) in
      try verifier.verifyTransaction(text, now: now)
    }
    guard let verified = transaction.verified else {
      throw evidence.refused("it is no transaction")
    }
    if let fault = subjectFault(verified.payload) { throw evidence.refused(fault) }
    let renewal = try stated.signedRenewal.map { (text) throws(UnprovedAnswer) in
      try Evidence(text, channel: channel, receivedAt: now)
        .proved { (text) throws(VerificationError) in
          try verifier.verifyRenewalInfo(text, now: now)
        }
    }
    let fact: ReportedStatus
    do throws(UnusableFact) {
      fact = try ReportedStatus(
        stated.status, transaction: verified, renewal: renewal?.verified, channel: channel,
        environment: scope.environment)
    } catch {
      let beside = stated.signedRenewal.map {
        Evidence($0, channel: channel, receivedAt: now)
      }
      throw evidence.refused(error.description, with: beside)
    }
    let body = Delivery.Body.reportedStatus(
      stated.status, transaction: SignedRecord(transaction, .transaction),
      renewal: renewal.map { SignedRecord($0, .renewalInfo) })
    let delivery = Delivery(
      effect: .applied(.status(fact)), body: body, channel: channel, receivedAt: now)
    return (delivery, verified.payload)
  }

  /// Why a proved transaction is no answer here; `nil` when it is one.
  private func subjectFault(_ payload: JWSTransactionDecodedPayload) -> String? {
    guard payload.bundleId == scope.bundleId else { return "it is about another app" }
    if let environment = payload.environment, environment != scope.environment {
      return "it is about another environment than \(scope.environment.rawValue)"
    }
    return nil
  }
}

/// A signed text of an answer, as it came.
private struct Evidence {
  let text: [UInt8]
  let channel: Channel
  let receivedAt: Timestamp

  init(_ text: String, channel: Channel, receivedAt: Timestamp) {
    self.text = Array(text.utf8)
    self.channel = channel
    self.receivedAt = receivedAt
  }

  func proved<Value>(
    _ verify: ([UInt8]) throws(VerificationError) -> Value
  ) throws(UnprovedAnswer) -> Value {
    do throws(VerificationError) {
      return try verify(text)
    } catch {
      throw UnprovedAnswer(
        detail: error.description, items: [item(error.description, error.isOriginProved)])
    }
  }

  /// It is signed as it must be, and is no answer all the same.
  func refused(_ detail: String, with other: Evidence? = nil) -> UnprovedAnswer {
    UnprovedAnswer(
      detail: detail, items: ([self] + [other].compactMap { $0 }).map { $0.item(detail, true) })
  }

  private func item(_ reason: String, _ isChainTrusted: Bool) -> QuarantinedItem {
    QuarantinedItem(
      text, isChainTrusted: isChainTrusted, sha256: Fingerprint(of: text).bytes,
      channel: channel.rawValue, reason: reason, receivedAt: receivedAt)
  }
}
