package import AppStoreModel
package import LedgerStorage

/// What reconciliation asks the App Store about one app in one environment.
///
/// Nothing that is answered counts before its signature was verified; and no refusal says anything
/// about a purchase.
package protocol AppStoreQuestions: Sendable {
  /// A page of what Apple sent; `page` is the token of the page before, and the window the same.
  func notificationHistory(
    from start: Timestamp, until end: Timestamp, onlyFailures: Bool, page: String?,
    _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> NotificationHistoryPage

  /// Refunds of the customer of a transaction that Apple approved after `revision`.
  func refundHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage

  /// Everything that the customer of a transaction bought.
  func transactionHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage

  /// Shape: a compact JWS.
  func transactionInfo(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> String

  /// The newest transaction of every subscription of the customer of a transaction.
  func subscriptionStatuses(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> [StatedStatus]
}

/// Which questions go first when not all may.
package enum QuestionUrgency: Hashable, Sendable, CaseIterable {
  /// A refund or an answer hangs on it.
  case urgent
  case normal
  /// A long round that can wait.
  case background
}

package struct NotificationHistoryPage: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// Shape: a compact JWS.
    package let signedPayload: String
    package let attempts: [SendingAttempt]

    package init(signedPayload: String, attempts: [SendingAttempt]) {
      self.signedPayload = signedPayload
      self.attempts = attempts
    }
  }

  package let entries: [Entry]
  /// The token of the next page; `nil` on the last, and empty where one is promised without a token.
  package let next: String?

  package init(entries: [Entry], next: String?) {
    self.entries = entries
    self.next = next
  }
}

package struct TransactionPage: Hashable, Sendable {
  /// Shape: compact JWS.
  package let signedTransactions: [String]
  /// Asks for what follows, now or later.
  package let revision: String?
  package let hasMore: Bool

  package init(signedTransactions: [String], revision: String?, hasMore: Bool) {
    self.signedTransactions = signedTransactions
    self.revision = revision
    self.hasMore = hasMore
  }
}

/// A status that nobody signed, with what was signed beside it.
package struct StatedStatus: Hashable, Sendable {
  package let status: SubscriptionStatus
  /// Shape: compact JWS.
  package let signedTransaction: String
  package let signedRenewal: String?

  package init(status: SubscriptionStatus, signedTransaction: String, signedRenewal: String?) {
    self.status = status
    self.signedTransaction = signedTransaction
    self.signedRenewal = signedRenewal
  }
}
