package import AppStoreModel
package import EntitlementLedger

/// How far asking Apple has come, in one app and environment.
package struct ReconciliationProgress: Hashable, Sendable {
  package let scope: Scope
  /// Whether everything that was to be asked once has been.
  package var isFinished = false
  /// Steps done and to do: pages of history, chains, imported purchases.
  package var done: Int64 = 0
  package var total: Int64 = 0
  package var pages: Int64 = 0
  package var asked: Int64 = 0
  /// Customers whose refund history was read to its end.
  package var refundHistories: Int64 = 0
  package var gaps: Int64 = 0
  package var notFound: Int64 = 0
  package var failed: Int64 = 0
  /// What a pass that was asked for has still to do; nothing between two of them.
  package var left = PassWork()
  /// What Apple's budget lets us expect for the rest.
  package var remaining = TimeSpan.zero
  /// Why nothing can be asked at the moment, or what was answered and cannot be used.
  package var trouble: String?
  /// Whether it is the latter.
  package var isAnswerUnusable = false
  /// The operator's next step against that, where there is one.
  package var advice: String?

  package init(scope: Scope) {
    self.scope = scope
  }
}
