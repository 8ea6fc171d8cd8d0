import AppStoreModel

/// The statement about a whole subscription that counts: the one with the greatest clock.
struct StatusInForce {
  let entry: StatusEntry
  let clock: Timestamp
  /// Whether another statement of the same moment says something else.
  let isContested: Bool

  init?(_ entries: [String: StatusEntry]) {
    let appleSpoke = entries.values.contains { $0.source != .kit && $0.status.isKnown }
    var best: StatusEntry?
    var isContested = false
    for entry in entries.values where entry.counts(appleSpoke: appleSpoke) {
      guard let old = best, entry.clock <= old.clock else {
        best = entry
        isContested = false
        continue
      }
      guard entry.clock == old.clock else { continue }
      isContested = isContested || entry.status != old.status
      if entry.precedes(old) { best = entry }
    }
    guard let best else { return nil }
    entry = best
    clock = best.clock
    self.isContested = isContested
  }
}

extension StatusEntry {
  /// Of what the kit reports only 5 counts once Apple has told us any status; what we do not know
  /// is as good as absent.
  fileprivate func counts(appleSpoke: Bool) -> Bool {
    status.isKnown && (source != .kit || status == .revoked || !appleSpoke)
  }
}

extension SubscriptionStatus {
  var isKnown: Bool {
    if case .unknown = self { false } else { true }
  }
}
