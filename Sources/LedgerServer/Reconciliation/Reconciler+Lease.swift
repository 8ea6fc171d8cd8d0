import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// One process at a time asks Apple about an app.
extension Reconciler {
  func waitForLease() async -> Bool {
    while !Task.isCancelled {
      let now = clock.now()
      if await takeLease(at: now) { return true }
      board.update { $0.trouble = "another process asks Apple about this app" }
      await pause.rest(now.adding(.seconds(5)), now)
    }
    return false
  }

  /// Whether the lease is held for a minute at least.
  func keepLease(at now: Timestamp) async -> Bool {
    guard leasedUntil < now.adding(.minutes(1)) else { return true }
    return await takeLease(at: now)
  }

  func dropLease() async {
    let (name, holder) = (leaseName, holder)
    try? await ledger.committed { (recorder) throws(StoreError) in
      try recorder.dropLease(name, holder: holder)
    }
  }

  private func takeLease(at now: Timestamp) async -> Bool {
    let (name, holder, end) = (leaseName, holder, now.adding(.minutes(2)))
    let isOurs = try? await ledger.committed { (recorder) throws(StoreError) in
      try recorder.takeLease(name, holder: holder, until: end, now: now)
    }
    guard isOurs == true else { return false }
    leasedUntil = end
    return true
  }

  private var leaseName: String {
    "reconcile \(scope.environment.rawValue) \(scope.bundleId)"
  }
}
