package import AppStoreModel

/// One attempt at delivering, as the log keeps it: never what the receiver answered but its status.
package struct DeliveryAttempt: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable, CaseIterable {
    case delivered, failed
    /// It failed, and was the last.
    case dead
  }

  /// How many attempts of one destination are remembered.
  package static let remembered = 1_000

  /// `nil` for a test.
  package let position: Int64?
  /// 1 for the first.
  package let attempt: Int
  package let result: Result
  /// The receiver's, where it answered.
  package let status: Int?
  /// Why no answer counts: one word.
  package let failure: String?
  package let startedAt: Timestamp
  package let took: TimeSpan

  package init(
    position: Int64?, attempt: Int, result: Result, status: Int?, failure: String?,
    startedAt: Timestamp, took: TimeSpan
  ) {
    self.position = position
    self.attempt = attempt
    self.result = result
    self.status = status
    self.failure = failure
    self.startedAt = startedAt
    self.took = took
  }
}

/// What was given up after the last attempt; it is kept until it is sent after all.
package struct DeadLetter: Hashable, Sendable {
  package let position: Int64
  package let attempts: Int
  package let status: Int?
  package let failure: String?
  package let diedAt: Timestamp

  package init(
    position: Int64, attempts: Int, status: Int?, failure: String?, diedAt: Timestamp
  ) {
    self.position = position
    self.attempts = attempts
    self.status = status
    self.failure = failure
    self.diedAt = diedAt
  }
}
