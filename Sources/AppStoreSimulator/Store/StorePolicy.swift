package import AppStoreModel

/// What the simulated App Store does of its own accord, where Apple leaves a choice.
package struct StorePolicy: Hashable, Sendable {
  /// How long access lasts after a failed payment; absent without a grace period.
  package var grace: TimeSpan?
  /// Whether a request for money that the app does not answer is granted.
  package var grantsUnanswered: Bool

  package init(grace: TimeSpan? = nil, grantsUnanswered: Bool = true) {
    self.grace = grace
    self.grantsUnanswered = grantsUnanswered
  }
}
