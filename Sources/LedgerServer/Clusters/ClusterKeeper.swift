import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerReports
import LedgerStorage

/// Looks every ten minutes whether refunds for a fault came closer together than they should.
///
/// Looking often costs no false alarms: a window counts the whole of its last day, and refunds of a
/// day only grow in number, so what stands out early stands out at the end of the day too.
final class ClusterKeeper: Sendable {
  private static let pause = TimeSpan.minutes(10)
  /// So many purchases are counted in one write.
  private static let step = 2_000

  private let ledger: Ledger
  private let clock: ServerClock
  private let report: @Sendable (Result<Int, StoreError>) -> Void
  private let thread = WakeableThread()

  init(
    _ ledger: Ledger, clock: ServerClock,
    report: @escaping @Sendable (Result<Int, StoreError>) -> Void
  ) {
    self.ledger = ledger
    self.clock = clock
    self.report = report
    thread.start { [self] in run() }
  }

  func close() { thread.close() }

  private func run() {
    var next = clock.now().adding(Self.pause)
    thread.takeTurns(pausing: 500) {
      let now = clock.now()
      if now >= next {
        report(Result { () throws(StoreError) in try look(at: now) })
        next = now.adding(Self.pause)
      }
      return false
    }
  }

  /// Counts what is new, and looks at every app.
  ///
  /// - Returns: How many clusters were told.
  func look(at now: Timestamp) throws(StoreError) -> Int {
    var isComplete = false
    while !isComplete, !thread.isEnding {
      isComplete = try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.tallyPurchases(now: now, limit: Self.step).isComplete
        }
      }
    }
    let reader = try ledger.makeReader()
    var told = 0
    for scope in try reader.read({ (recorder) throws(StoreError) in try recorder.allScopes() }) {
      told += try look(scope, reader, at: now)
    }
    return told
  }

  private func look(
    _ scope: Scope, _ reader: LedgerReader, at now: Timestamp
  ) throws(StoreError) -> Int {
    let day = UTCDay(now)
    guard let refunds = try freshRefunds(in: scope, reader, at: day) else { return 0 }
    let (purchases, known) = try reader.read { (recorder) throws(StoreError) in
      (
        try recorder.purchaseCounts(in: scope, from: FaultWatch.firstPurchaseDay(for: day)),
        try recorder.recentClusters(in: scope, at: day)
      )
    }
    let finding = FaultWatch().look(at: day, purchases, refunds, known: known.map(\.cluster))
    guard !finding.new.isEmpty || finding.known != known.map(\.cluster) else { return 0 }
    return try ledger.wait { completion in
      ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.record(finding, known: known, in: scope, now: now)
      }
    }
  }

  /// Refunds for a fault; `nil` when none is so young that it could make a new cluster.
  private func freshRefunds(
    in scope: Scope, _ reader: LedgerReader, at day: UTCDay
  ) throws(StoreError) -> [FaultRefund]? {
    let refunds = try reader.read { (recorder) throws(StoreError) in
      try recorder.faultRefunds(in: scope, from: FaultWatch.firstRefundDay(for: day))
    }
    let newest = day.adding(1 - (FaultWatch.windows.max() ?? 1))
    return refunds.contains { $0.refundedOn >= newest } ? refunds : nil
  }
}
