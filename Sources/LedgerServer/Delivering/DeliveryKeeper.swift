import AppStoreModel
import HTTPListener
import LedgerStorage
import Synchronization

/// Sends what is committed to everybody who is to get it, from one thread that never waits for any
/// of them.
final class DeliveryKeeper: Sendable {
  /// How a test went; `nil` for an endpoint that there is not.
  typealias TestCompletion = @Sendable (DispatchAnswer?) -> Void

  private struct Mail {
    var answers: [(DeliveryDesk.Attempt, DispatchAnswer)] = []
    var tests: [(name: String, completion: TestCompletion)] = []
    var testsDone: [(destination: Int64, startedAt: Timestamp, answer: DispatchAnswer)] = []
    var written: Result<Void, StoreError>?
    var needsReload = false
  }

  private let ledger: Ledger
  private let clock: ServerClock
  private let rules: DeliveryRules
  private let wires: DeliveryWires
  private let report: @Sendable (DeliveryDesk.Report) -> Void
  private let changed: @Sendable (Destination) -> Void
  private let fail: @Sendable (StoreError) -> Void
  private let mail = Mutex(Mail())
  private let statuses = Mutex<[OutletStatus]>([])
  private let thread = WakeableThread()

  /// Starts the thread.
  ///
  /// `report` is told of every attempt's end, `changed` of what an operator disabled or woke, and
  /// `fail` when the store could not be read or written.
  init(
    _ ledger: Ledger, clock: ServerClock, rules: DeliveryRules, wires: DeliveryWires,
    report: @escaping @Sendable (DeliveryDesk.Report) -> Void,
    changed: @escaping @Sendable (Destination) -> Void = { _ in },
    fail: @escaping @Sendable (StoreError) -> Void
  ) {
    self.ledger = ledger
    self.clock = clock
    self.rules = rules
    self.wires = wires
    self.report = report
    self.changed = changed
    self.fail = fail
    ledger.news.observe { [thread] _ in thread.wake() }
    thread.start { [self] in run() }
  }

  /// Sends nothing more, and writes what is known; what was under way is sent again another time.
  func close() {
    thread.close()
    wires.close()
  }

  /// Has what was just committed sent at once.
  func wake() { thread.wake() }

  /// Takes in what was changed about destinations.
  func reload() {
    mail.withLock { $0.needsReload = true }
    thread.wake()
  }

  /// Sends an endpoint something without meaning.
  func test(_ name: String, completion: @escaping TestCompletion) {
    mail.withLock { $0.tests.append((name, completion)) }
    thread.wake()
  }

  /// How every destination fares.
  var outlets: [OutletStatus] { statuses.withLock { $0 } }

  private func run() {
    guard let desk = openDesk() else { return }
    var loop = Loop(desk: desk)
    while !thread.isEnding {
      takeMail(&loop)
      let isBusy = work(&loop)
      if !isBusy { thread.sleep(milliseconds: pause(loop)) }
    }
    takeMail(&loop)
    for test in loop.tests { test.completion(nil) }
    let steps = desk.takeSteps()
    if !steps.isEmpty {
      _ = try? ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in try recorder.carryOut(steps) }
      }
    }
  }

  /// - Returns: `nil` when it is closed before the store can be read.
  private func openDesk() -> DeliveryDesk? {
    while !thread.isEnding {
      do throws(StoreError) {
        return DeliveryDesk(try ledger.makeReader(), rules)
      } catch {
        fail(error)
        thread.sleep(milliseconds: 1_000)
      }
    }
    return nil
  }

  /// What the thread keeps from one turn to the next.
  private struct Loop {
    let desk: DeliveryDesk
    var needsReload = true
    var isWriting = false
    var needsNewStart = false
    /// Those that wait until every destination is known.
    var tests: [(name: String, completion: TestCompletion)] = []
    /// After a failure of the store nothing is tried for a while.
    var restsUntil: Int64 = 0
  }

  private func takeMail(_ loop: inout Loop) {
    let taken = mail.withLock { mail in
      defer { mail = Mail() }
      return mail
    }
    let now = clock.now()
    if taken.needsReload { loop.needsReload = true }
    if let written = taken.written {
      loop.isWriting = false
      if case .failure(let error) = written {
        fail(error)
        // What could not be written is begun again from what the store has.
        loop.needsNewStart = true
        loop.restsUntil = MonotonicClock.milliseconds + 1_000
      }
    }
    for (attempt, answer) in taken.answers {
      if let told = loop.desk.finish(attempt, answer, at: now) { report(told) }
    }
    for test in taken.testsDone {
      loop.desk.logTest(of: test.destination, test.answer, startedAt: test.startedAt)
    }
    loop.tests += taken.tests
  }

  private func beginTests(_ loop: inout Loop) {
    for test in loop.tests { begin(test.name, loop.desk, test.completion) }
    loop.tests = []
  }

  /// - Returns: Whether there is more to do at once.
  private func work(_ loop: inout Loop) -> Bool {
    guard MonotonicClock.milliseconds >= loop.restsUntil else { return false }
    let now = clock.now()
    do throws(StoreError) {
      if loop.needsNewStart, !loop.isWriting {
        try loop.desk.startOver(at: now)
        loop.needsNewStart = false
        loop.needsReload = false
      }
      write(&loop)
      if loop.needsReload, !loop.isWriting {
        for destination in try loop.desk.reload(at: now) { changed(destination) }
        loop.needsReload = false
      }
      if !loop.needsReload { beginTests(&loop) }
      if !loop.needsReload, !loop.needsNewStart {
        try loop.desk.turn(at: now) { attempt, dispatch in send(attempt, dispatch) }
        write(&loop)
      }
      let current = try loop.desk.statuses()
      statuses.withLock { $0 = current }
      return loop.desk.hasMore
    } catch {
      fail(error)
      loop.restsUntil = MonotonicClock.milliseconds + 1_000
      return false
    }
  }

  private func pause(_ loop: Loop) -> Int32 {
    guard let due = loop.desk.nextDue else { return 200 }
    return Int32(max(1, min(200, due.span(since: clock.now()).milliseconds)))
  }

  private func send(_ attempt: DeliveryDesk.Attempt, _ dispatch: Dispatch) {
    wires.wire(for: dispatch.target).send(dispatch) { [self] answer in
      mail.withLock { $0.answers.append((attempt, answer)) }
      thread.wake()
    }
  }

  /// One write at a time: what happens meanwhile gathers for the next.
  private func write(_ loop: inout Loop) {
    guard !loop.isWriting, !loop.needsNewStart else { return }
    let steps = loop.desk.takeSteps()
    guard !steps.isEmpty else { return }
    loop.isWriting = true
    ledger.write(
      { [self] (result: Result<Void, StoreError>) in
        mail.withLock { $0.written = result }
        thread.wake()
      }, { (recorder) throws(StoreError) in try recorder.carryOut(steps) })
  }

  private func begin(
    _ name: String, _ desk: DeliveryDesk, _ completion: @escaping TestCompletion
  ) {
    let now = clock.now()
    guard let (destination, dispatch) = desk.test(name, at: now) else { return completion(nil) }
    switch dispatch {
    case .failure: completion(DispatchAnswer(failure: .refusedURL))
    case .success(let dispatch):
      wires.wire(for: dispatch.target).send(dispatch) { [self] answer in
        mail.withLock { $0.testsDone.append((destination, now, answer)) }
        thread.wake()
        completion(answer)
      }
    }
  }
}

extension Recorder {
  fileprivate func carryOut(
    _ steps: [Destination.Kind: [DeliveryStep]]
  ) throws(StoreError) {
    for kind in Destination.Kind.allCases {
      if let steps = steps[kind] { try carryOut(steps, for: kind) }
    }
  }
}
