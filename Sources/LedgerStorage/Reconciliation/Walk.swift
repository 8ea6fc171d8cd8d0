package import AppStoreModel
package import EntitlementLedger

/// How far one of the rounds through Apple's API has come, in one app and environment.
package struct Walk: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Apple's notification history, from where the last walk ended.
    case notifications
    /// The notifications of the whole time Apple keeps whose sending failed.
    case failures
    /// Refund history, customer by customer.
    case refunds
    /// Every chain.
    case rest
  }

  /// A round that has begun and not ended: what a killed process leaves for the next one.
  package struct Leg: Hashable, Sendable {
    package var begunAt: Timestamp
    /// The window that notification history is asked for.
    package var from: Timestamp?
    package var until: Timestamp?
    /// Apple's token of the next page; `nil` for the first.
    package var page: String?
    /// The row of the last chain that is done.
    package var place: Int64 = 0
    /// Pages or chains done.
    package var steps: Int64 = 0

    package init(begunAt: Timestamp, from: Timestamp? = nil, until: Timestamp? = nil) {
      self.begunAt = begunAt
      self.from = from
      self.until = until
    }
  }

  package let scope: Scope
  package let kind: Kind
  package var underway: Leg?
  /// The window that finished walks have seen whole.
  package var coveredFrom: Timestamp?
  package var coveredUntil: Timestamp?
  package var lastBegunAt: Timestamp?
  package var lastFinishedAt: Timestamp?
  package var lastSteps: Int64?

  package init(scope: Scope, kind: Kind) {
    self.scope = scope
    self.kind = kind
  }
}

extension Walk {
  /// How much later than it was signed a notification may first stand in Apple's history.
  private static let overlap = TimeSpan.hours(1)

  /// How far back Apple's notification history reaches.
  package static func reach(_ environment: AppStoreEnvironment) -> TimeSpan {
    environment == .production ? .days(180) : .days(30)
  }

  /// What a walk leaves out at the far end, so that its window is still allowed when its last page is
  /// asked for: every page states the same window.
  private static let spare = TimeSpan.hours(1)

  private func earliest(at now: Timestamp, sparing spare: TimeSpan) -> Timestamp {
    now.subtracting(Walk.reach(scope.environment)).adding(spare)
  }

  /// Begins a round, unless one is under way.
  package mutating func begin(at now: Timestamp) {
    guard underway == nil else { return }
    let earliest = earliest(at: now, sparing: Walk.spare)
    switch kind {
    case .notifications:
      let from = coveredUntil.map { max(earliest, $0.subtracting(Walk.overlap)) } ?? earliest
      underway = Leg(begunAt: now, from: min(from, now.subtracting(.minutes(1))), until: now)
    case .failures: underway = Leg(begunAt: now, from: earliest, until: now)
    case .refunds, .rest: underway = Leg(begunAt: now)
    }
  }

  /// Begins the round under way anew, because Apple knows its page no more.
  ///
  /// Range: the window keeps its end, and its beginning moves with what Apple still keeps, by twice as
  /// long as the walk has taken so far, at most a twelfth of it: one that was too slow for its window
  /// gets through the next.
  package mutating func restart(at now: Timestamp) {
    guard var leg = underway else { return }
    leg.page = nil
    let taken = now.millisecondsSince1970 - leg.begunAt.millisecondsSince1970
    let most = TimeSpan(milliseconds: Walk.reach(scope.environment).milliseconds / 12)
    let spare = min(max(Walk.spare, TimeSpan(milliseconds: 2 * taken)), most)
    let latest = leg.until?.subtracting(.minutes(1)) ?? now
    leg.from = leg.from.map { max($0, min(earliest(at: now, sparing: spare), latest)) }
    underway = leg
  }

  /// Ends the round.
  package mutating func finish(at now: Timestamp) {
    guard let leg = underway else { return }
    if kind == .notifications, let from = leg.from, let until = leg.until {
      let continues = coveredUntil.map { from <= $0 } ?? false
      coveredFrom = continues ? coveredFrom : from
      coveredUntil = until
    }
    lastBegunAt = leg.begunAt
    lastFinishedAt = now
    lastSteps = leg.steps
    underway = nil
  }
}
