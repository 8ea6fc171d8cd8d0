import AppStoreModel
import HTTPListener
import LedgerStorage
import Synchronization

/// A piece of the outbox, and up to where it is no longer kept.
struct EventPage {
  let events: [StoredEvent]
  let floor: Int64
}

/// Hands out what is committed, right after the commit, to everybody who listens.
///
/// One thread sleeps until the ledger tells of a commit, reads what is new once, and leaves it with each
/// stream. Nobody is waited for: a stream that does not keep up reads on from the store by itself.
final class EventFeed: Sendable {
  private struct State {
    /// What was handed out; everything up to here has been left with whoever was live.
    var head: Int64 = 0
    var streams: [ObjectIdentifier: EventStream] = [:]
    var waits: [EventWait] = []
    var isClosed = false

    var isHeard: Bool { !streams.isEmpty || !waits.isEmpty }
  }

  /// How many events are read at a time.
  private static let pageSize = 128

  let heartbeat: TimeSpan
  let retry = TimeSpan.seconds(1)
  private let ledger: Ledger
  private let readers: ReaderPool
  private let clock: ServerClock
  private let metrics: Metrics
  private let state: Mutex<State>
  private let thread = WakeableThread()

  init(
    _ ledger: Ledger, readers: ReaderPool, clock: ServerClock, metrics: Metrics,
    heartbeat: TimeSpan
  ) {
    self.ledger = ledger
    self.readers = readers
    self.clock = clock
    self.metrics = metrics
    self.heartbeat = heartbeat
    // Read before anybody can listen: a later reading could pass over what was told meanwhile.
    let last = try? readers.read { (reader) throws(StoreError) in
      try reader.lastEventPosition()
    }
    state = Mutex(State(head: last ?? 0))
  }

  /// Begins to hand out what is committed from now on.
  func start() {
    ledger.news.observe { [thread] _ in thread.wake() }
    thread.start { [self] in run() }
  }

  func ticks() -> Int64 { clock.ticks() }

  var streamCount: Int { state.withLock { $0.streams.count } }

  func countEnding(_ reason: EventStream.Ending) {
    metrics.count("streams_ended", "\(reason)")
  }

  // MARK: What streams and waiting requests ask for

  /// Takes a stream in, which begins to read from the store.
  func add(_ stream: EventStream) {
    let isClosed = state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = stream
      return state.isClosed
    }
    if isClosed { stream.end(.stopping) }
    thread.wake()
  }

  func remove(_ stream: EventStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
  }

  /// Hands a stream every event from now on, if none was handed out that it has not read.
  func goLive(_ stream: EventStream) -> Bool {
    state.withLock { stream.goLive(past: $0.head) }
  }

  func page(after cursor: EventCursor) throws(Problem) -> EventPage {
    try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        EventPage(
          events: try recorder.events(after: cursor.position, limit: 64),
          floor: try recorder.eventFloor())
      }
    }
  }

  /// Has a request wait for what comes after a position.
  ///
  /// - Returns: `false` when that may be there already, or the server stops: it is not called then.
  func wait(_ wait: EventWait, after position: Int64) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.head <= position else { return false }
      state.waits.append(wait)
      return true
    }
    thread.wake()
    return isTaken
  }

  /// Ends whatever rests on a key that is no longer good.
  func keysChanged(isGood: (APIKey) -> Bool) {
    let (streams, waits) = state.withLock { state in
      let streams = state.streams.values.filter { !isGood($0.key) }
      let waits = state.waits.filter { !isGood($0.key) }
      state.waits.removeAll { !isGood($0.key) }
      return (streams, waits)
    }
    for stream in streams { stream.end(.keyRevoked) }
    for wait in waits { wait.wake() }
  }

  /// Ends every stream and every waiting: the server is about to stop.
  func stopServing() {
    let (streams, waits) = state.withLock { state in
      state.isClosed = true
      defer { state.waits = [] }
      return (Array(state.streams.values), state.waits)
    }
    for stream in streams { stream.end(.stopping) }
    for wait in waits { wait.wake() }
  }

  /// Ends the thread; nothing is handed out any more.
  func close() {
    stopServing()
    thread.close()
  }

  // MARK: On its own thread

  private func run() {
    while !state.withLock({ $0.isClosed }) {
      distribute()
      let isWatched = tick()
      thread.sleep(milliseconds: isWatched ? 100 : 1_000)
    }
  }

  private func distribute() {
    while true {
      let head = state.withLock { $0.head }
      let events = try? readers.read { (reader) throws(StoreError) in
        try reader.events(after: head, limit: Self.pageSize)
      }
      // A store that cannot be read now is read at the next turn; nothing is passed over.
      guard let events, !events.isEmpty else { return }
      hand(out: events)
    }
  }

  private func hand(out events: [StoredEvent]) {
    let ready = state.withLock { $0.isHeard } ? events.map(EventFrame.init) : nil
    let waits = state.withLock { state in
      state.head = events.last?.position ?? state.head
      guard state.isHeard else { return [EventWait]() }
      let frames = ready ?? events.map(EventFrame.init)
      for stream in state.streams.values { stream.offer(frames) }
      let woken = state.waits.filter { $0.wants(frames) }
      state.waits.removeAll { $0.wants(frames) }
      return woken
    }
    for wait in waits { wait.wake() }
  }

  /// - Returns: Whether anybody waits for a heartbeat or a deadline.
  private func tick() -> Bool {
    let now = clock.ticks()
    let (streams, waits, isWatched) = state.withLock { state in
      let over = state.waits.filter { $0.isOver(at: now) }
      state.waits.removeAll { $0.isOver(at: now) }
      return (Array(state.streams.values), over, state.isHeard)
    }
    for stream in streams { stream.beat(at: now) }
    for wait in waits { wait.wake() }
    return isWatched
  }
}
