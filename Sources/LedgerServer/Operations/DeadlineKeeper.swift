import HTTPListener
import AppStoreModel
import LedgerStorage

/// Processes what falls due by time alone: an expiry gives its event and version without a fact.
final class DeadlineKeeper: Sendable {
  private let ledger: Ledger
  private let clock: ServerClock
  private let report: @Sendable (Result<DeadlineReport, StoreError>) -> Void
  private let thread = WakeableThread()

  init(
    _ ledger: Ledger, clock: ServerClock,
    report: @escaping @Sendable (Result<DeadlineReport, StoreError>) -> Void
  ) {
    self.ledger = ledger
    self.clock = clock
    self.report = report
    thread.start { [self] in run() }
  }

  func close() { thread.close() }

  private func run() {
    let reader = try? ledger.makeReader()
    thread.takeTurns(pausing: 200) {
      let now = clock.now()
      guard let due = try? reader?.nextDeadline(), due <= now else { return false }
      return process(now)
    }
  }

  /// - Returns: Whether more may be due at once.
  private func process(_ now: Timestamp) -> Bool {
    do throws(StoreError) {
      let done = try ledger.wait { ledger.processDueDeadlines(now: now, completion: $0) }
      report(.success(done))
      return done.processed > 0
    } catch {
      report(.failure(error))
      return false
    }
  }
}
