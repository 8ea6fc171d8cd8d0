package import AppStoreModel
package import LedgerStorage

/// What reconciliation asks the App Store about one app in one environment.
///
/// Nothing that is answered counts before its signature was verified; and no refusal says anything
/// about a purchase.
package protocol AppStoreQuestions: Sendable {
  /// A page of what Apple sent; `page` is the token of the page before, and the window the same.
  func notificationHistory(
    from start: Timestamp, until end: Timestamp, onlyFailures: Bool, page: String?
  ) async throws(QuestionFailure) -> NotificationHistoryPage

  /// Refunds of the customer of a transaction that Apple approved after `revision`.
  func refundHistory(
    of transactionId: String, revision: String?
  ) async throws(QuestionFailure) -> TransactionPage

  /// Everything that the customer of a transaction bought.
  func transactionHistory(
    of transactionId: String, revision: String?
  ) async throws(QuestionFailure) -> TransactionPage

  /// Shape: a compact JWS.
  func transactionInfo(of transactionId: String) async throws(QuestionFailure) -> String

  /// The newest transaction of every subscription of the customer of a transaction.
  func subscriptionStatuses(
    of transactionId: String
  ) async throws(QuestionFailure) -> [StatedStatus]
}

package struct NotificationHistoryPage: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// Shape: a compact JWS.
    package let signedPayload: String
    package let attempts: [SendAttempt]

    package init(signedPayload: String, attempts: [SendAttempt]) {
      self.signedPayload = signedPayload
      self.attempts = attempts
    }
  }

  package let entries: [Entry]
  /// The token of the next page; `nil` on the last.
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
