import HTTPListener
import AppStoreModel
import LedgerStorage
import Synchronization

/// Processes what falls due by time alone: an expiry gives its event and version without a fact.
final class DeadlineKeeper: Sendable {
  private let ledger: Ledger
  private let clock: ServerClock
  private let report: @Sendable (Result<DeadlineReport, StoreError>) -> Void
  private let isClosed = Atomic<Bool>(false)
  private let signal = Signal()
  private let thread = Mutex<WorkerThread?>(nil)

  init(
    _ ledger: Ledger, clock: ServerClock,
    report: @escaping @Sendable (Result<DeadlineReport, StoreError>) -> Void
  ) {
    self.ledger = ledger
    self.clock = clock
    self.report = report
    thread.withLock { $0 = WorkerThread { [self] in run() } }
  }

  func close() {
    isClosed.store(true, ordering: .relaxed)
    signal.raise()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run() {
    let reader = try? ledger.makeReader()
    while !isClosed.load(ordering: .relaxed) {
      let now = clock.now()
      guard let due = try? reader?.nextDeadline(), due <= now, process(now) else {
        signal.wait(milliseconds: 200)
        continue
      }
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
