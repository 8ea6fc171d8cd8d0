import AppStoreModel
import HTTPListener
import Synchronization

/// Sees to it that nobody waits for the store longer than was stated.
///
/// A store that fails says so; one that hangs says nothing, and whoever asked it would hang as well.
final class StoreWatch: Sendable {
  /// One write that is waited for: it is answered in time or given up, never both.
  final class Wait: Sendable {
    private enum State {
      case waiting, answered, late
    }

    private let state = Mutex(State.waiting)
    private let watch: StoreWatch

    fileprivate init(_ watch: StoreWatch) {
      self.watch = watch
    }

    /// Whether nobody waits for it any more.
    var isGivenUp: Bool { state.withLock { $0 == .late } }

    /// To be called when the store has answered.
    ///
    /// - Returns: Whether it was in time: only then is its answer to be given.
    func end() -> Bool {
      watch.change(isHanging: false) { become(.answered) }
    }

    fileprivate var isOpen: Bool { state.withLock { $0 == .waiting } }

    fileprivate func giveUp() -> Bool {
      watch.change(isHanging: true) { become(.late) }
    }

    private func become(_ next: State) -> Bool {
      state.withLock { state in
        guard state == .waiting else { return false }
        state = next
        return true
      }
    }
  }

  private struct Entry {
    let wait: Wait
    let deadline: Int64
    let late: @Sendable () -> Void
  }

  private struct State {
    /// In the order of their deadlines, since all wait equally long.
    var entries: [Entry] = []
    var isHanging = false
  }

  private let timeout: TimeSpan
  private let state = Mutex(State())
  private let thread = WakeableThread()

  init(timeout: TimeSpan) {
    self.timeout = timeout
    thread.start { [self] in run() }
  }

  /// Whether the store has kept somebody waiting too long and has answered nothing since.
  var isHanging: Bool { state.withLock { $0.isHanging } }

  /// Begins to wait for an answer of the store; `late` is called once, on the watch's thread, if the
  /// time is over before.
  func begin(_ late: @escaping @Sendable () -> Void) -> Wait {
    let wait = Wait(self)
    let deadline = MonotonicClock.milliseconds + timeout.milliseconds
    let isFirst = state.withLock { state in
      state.entries.append(Entry(wait: wait, deadline: deadline, late: late))
      return state.entries.count == 1
    }
    if isFirst { thread.wake() }
    return wait
  }

  /// Ends the thread; what still waits is given up.
  func close() {
    thread.close()
  }

  /// Changes a wait together with what is known of the store, so that the last word is the later one.
  fileprivate func change(isHanging: Bool, _ become: () -> Bool) -> Bool {
    state.withLock { state in
      let isChanged = become()
      if isChanged || !isHanging { state.isHanging = isHanging }
      return isChanged
    }
  }

  private func run() {
    while true {
      let isEnding = thread.isEnding
      let (over, next) = takeOver(at: isEnding ? .max : MonotonicClock.milliseconds)
      for entry in over where entry.wait.giveUp() { entry.late() }
      if isEnding { return }
      thread.sleep(milliseconds: next.map { Int32(clamping: max(0, $0)) } ?? -1)
    }
  }

  /// What is over by a moment, and how long it is from there to the next.
  private func takeOver(at now: Int64) -> (over: [Entry], next: Int64?) {
    state.withLock { state in
      let count =
        state.entries.firstIndex { $0.wait.isOpen && $0.deadline > now } ?? state.entries.count
      let over = Array(state.entries.prefix(count))
      state.entries.removeFirst(count)
      return (over, state.entries.first.map { $0.deadline - now })
    }
  }
}

extension StoreWatch {
  /// Has the store do something whose outcome counts even if it comes late, and answers in time.
  ///
  /// `begin` hands its answer to what it is given, once.
  func bounded(
    _ completion: @escaping Route.Completion,
    _ begin: (@escaping Route.Completion) -> Void
  ) {
    guard !isHanging else { return completion(.failure(.storeHangs)) }
    let wait = self.begin { completion(.failure(.storeHangs)) }
    begin { result in if wait.end() { completion(result) } }
  }
}

extension Problem {
  static let storeHangs = Problem(
    .storeUnavailable,
    "The store did not answer in time. Ask again: what was done is not done twice.")
}
