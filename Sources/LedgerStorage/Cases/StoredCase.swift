package import AppStoreModel
package import EntitlementLedger

/// A refund case at its place, with the purchase that it is about.
package struct StoredCase: Hashable, Sendable {
  /// Grows with the order of opening.
  package let position: Int64
  package let originalTransactionId: String
  package let productId: String
  /// Whose the purchase is by all that is known.
  package let customer: CustomerID?
  package let openedAt: Timestamp
  package let refundCase: RefundCase
}

/// A request whose turn it is, with everything that an answer is made of.
package struct DueRequest: Hashable, Sendable {
  package let stored: StoredCase
  package let request: ConsumptionRequest
  /// The newest copy of the transaction.
  package let transaction: TransactionCopy?
  package let consent: Consent?
  /// What was settled on the transaction, one sum for each currency.
  package let spent: [Cost]
  /// What became of the credits that it put into a balance; `nil` where it filled none.
  package let credits: CreditUse?
}

/// How much of a lot was used.
package struct CreditUse: Hashable, Sendable {
  package let filled: Int64
  /// Spent, or gone to a debt.
  package let used: Int64

  package init(filled: Int64, used: Int64) {
    self.filled = filled
    self.used = used
  }
}

/// What is to be written about a request that was worked on.
package struct RequestUpdate: Hashable, Sendable {
  package let position: Int64
  package let notificationUUID: String
  package let progress: ConsumptionRequest.Progress
  /// `nil` leaves what is written of earlier attempts.
  package let attempt: AnswerAttempt?
  /// When to look at it again; `nil` when it is settled.
  package let dueAt: Timestamp?

  package init(
    position: Int64, notificationUUID: String, progress: ConsumptionRequest.Progress,
    attempt: AnswerAttempt? = nil, dueAt: Timestamp? = nil
  ) {
    self.position = position
    self.notificationUUID = notificationUUID
    self.progress = progress
    self.attempt = attempt
    self.dueAt = dueAt
  }
}
