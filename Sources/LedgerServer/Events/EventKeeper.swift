import AppStoreModel
import HTTPListener
import LedgerStorage

/// Lets go of events that are older than the operator wants them kept.
final class EventKeeper: Sendable {
  /// How many events one write lets go, so that no other write waits long for it.
  private static let portion = 500

  private let ledger: Ledger
  private let kept: TimeSpan
  private let clock: ServerClock
  private let report: @Sendable (Result<Int, StoreError>) -> Void
  private let thread = WakeableThread()

  /// - Parameters:
  ///   - ledger: Where the events are.
  ///   - kept: How long at least an event stays.
  ///   - clock: Tells the time.
  ///   - report: Is told how many events went, or why none could.
  init(
    _ ledger: Ledger, kept: TimeSpan, clock: ServerClock,
    report: @escaping @Sendable (Result<Int, StoreError>) -> Void
  ) {
    self.ledger = ledger
    self.kept = kept
    self.clock = clock
    self.report = report
  }

  func start() {
    thread.start { [self] in thread.takeTurns(pausing: 60_000, forget) }
  }

  func close() { thread.close() }

  /// - Returns: Whether more may be left.
  private func forget() -> Bool {
    let moment = clock.now().subtracting(kept)
    do throws(StoreError) {
      let count = try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.forgetEvents(before: moment, limit: Self.portion)
        }
      }
      report(.success(count))
      return count == Self.portion
    } catch {
      report(.failure(error))
      return false
    }
  }
}
