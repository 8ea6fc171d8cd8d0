package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Makes every answer due if the stored ones were made by other rules.
  package func adoptRules(now: Timestamp) throws(StoreError) -> Bool {
    let stored = try session.first(Self.storedRules, []) { $0.bytes(0) } ?? nil
    guard stored != rules.sha256 else { return false }
    try rememberRules()
    try customers.makeAllDue(at: now)
    try restartLotFill()
    return stored != nil
  }

  /// Notes by which rules stored answers are made from now on.
  func rememberRules() throws(StoreError) {
    try session.run(Self.updateRules, [.bytes(rules.sha256)])
  }

  /// Computes anew what changed by time alone.
  package func processDueDeadlines(
    now: Timestamp, limit: Int
  ) throws(StoreError) -> DeadlineReport {
    let lapsed = try lapseHolds(at: now, limit: limit)
    let accrued = try accrueCosts(at: now, limit: limit)
    let released = try releasePayouts(at: now, limit: limit)
    let due = try customers.due(by: now, limit: limit)
    var events = lapsed.events + accrued.events + released
    for customerID in due {
      events += try refresh(customerID, [], Cause(factID: nil, now: now))
    }
    return DeadlineReport(
      processed: lapsed.count + accrued.count + released.count + due.count, nextDue: try nextDue(),
      events: events)
  }

  func touch() throws(StoreError) {
    try session.run(Self.sameIdentity, [])
  }

  package func nextDue() throws(StoreError) -> Timestamp? {
    let hold = try authorizations.nextLapse()
    return [
      try customers.nextDue(), hold, try runningCosts.nextDue(), try payouts.nextRelease(),
    ].compactMap { $0 }.min()
  }

  private static let storedRules = SQLStatement("SELECT rules_sha256 FROM store_identity")
  private static let sameIdentity = SQLStatement("UPDATE store_identity SET only = 1")
  private static let updateRules = SQLStatement("UPDATE store_identity SET rules_sha256 = ?")
}
