import AppStoreModel
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

@testable import LedgerServer

/// The thread that lets go of what is older than the operator wants it kept.
struct EventKeeperTests {
  /// A ledger with events of several days, and a keeper that tells what it does.
  private final class Kept: Sendable {
    let ledger: Ledger
    let moment = ServedLedger.Moment(ServedLedger.start)
    private let reports = Mutex<[Result<Int, StoreError>]>([])
    private let told = Semaphore()

    init(days: Range<Int64>, each count: Int) throws {
      let store = try SQLiteStore(.memory, realm: .apple, now: ServedLedger.start)
      ledger = Ledger(store: store)
      for day in days {
        let now = ServedLedger.start.adding(.days(day))
        try ledger.wait { completion in
          ledger.write(completion) { (recorder) throws(StoreError) in
            try Kept.tell(count, recorder, now)
          }
        }
      }
    }

    deinit { ledger.store.close() }

    /// An endpoint that is disabled and woken tells of it.
    private static func tell(
      _ count: Int, _ recorder: Recorder, _ now: Timestamp
    ) throws(StoreError) {
      var new = NewDestination(
        name: "wh_\(now.millisecondsSince1970)", kind: .webhook, url: "https://example.com/")
      new.environment = .sandbox
      new.bundleIds = ["com.example.app"]
      guard let endpoint = try recorder.add(new, limit: 100, now: now) else { return }
      for number in 0..<count {
        if number % 2 == 0 {
          _ = try recorder.disable(endpoint, .operator, now: now)
        } else {
          try recorder.wake(endpoint, now: now)
        }
      }
      try recorder.remove(endpoint)
    }

    func keeper(for kept: TimeSpan) -> EventKeeper {
      let keeper = EventKeeper(ledger, kept: kept, clock: ServerClock { [moment] in moment.get() })
      { [self] result in
        reports.withLock { $0.append(result) }
        told.signal()
      }
      keeper.start()
      return keeper
    }

    /// Waits for the next so many reports, and gives them all.
    func wait(_ count: Int) -> [Result<Int, StoreError>] {
      for _ in 0..<count { told.wait() }
      return reports.withLock { $0 }
    }

    var positions: [Int64] {
      get throws {
        try ledger.makeReader().events(after: 0, limit: 5_000).map(\.position)
      }
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `what is older than it is kept goes, a portion a write, and what is younger stays`() throws {
    let kept = try Kept(days: 0..<3, each: 600)
    kept.moment.set(ServedLedger.start.adding(.days(9)))
    let keeper = kept.keeper(for: .days(7))
    defer { keeper.close() }
    let reports = kept.wait(3).map { try? $0.get() }
    #expect(reports == [500, 500, 200])
    #expect(try kept.positions == Array(1_201...1_800))
    let reader = try kept.ledger.makeReader()
    let floor = try reader.read { (recorder) throws(StoreError) in try recorder.eventFloor() }
    #expect(floor == 1_200)
  }

  @Test(.timeLimit(.minutes(4)))
  func `an event that an enabled endpoint has not been sent stays, however old it is`() throws {
    let kept = try Kept(days: 0..<2, each: 10)
    try kept.ledger.wait { completion in
      kept.ledger.write(completion) { (recorder) throws(StoreError) in
        var new = NewDestination(name: "wh_late", kind: .webhook, url: "https://example.com/")
        new.environment = .sandbox
        new.bundleIds = ["com.example.app"]
        _ = try recorder.add(new, limit: 100, now: ServedLedger.start.adding(.days(2)))
      }
    }
    try kept.ledger.wait { completion in
      kept.ledger.write(completion) { (recorder) throws(StoreError) in
        guard let endpoint = try recorder.destination(named: "wh_late") else { return }
        let now = ServedLedger.start.adding(.days(2))
        _ = try recorder.disable(endpoint, .operator, now: now)
        try recorder.wake(endpoint, now: now)
      }
    }
    kept.moment.set(ServedLedger.start.adding(.days(100)))
    let keeper = kept.keeper(for: .days(7))
    defer { keeper.close() }
    #expect(kept.wait(1).map { try? $0.get() } == [20])
    #expect(try kept.positions == [21, 22])
  }

  @Test(.timeLimit(.minutes(4)))
  func `a store that cannot be written is told of, and the keeper can still be closed`() throws {
    let kept = try Kept(days: 0..<1, each: 2)
    kept.ledger.store.close()
    let keeper = kept.keeper(for: .days(7))
    #expect(kept.wait(1).map { try? $0.get() } == [nil])
    keeper.close()
  }
}
