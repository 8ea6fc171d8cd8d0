import HTTPListener
import Synchronization

/// A few threads for work that is too slow for a loop, with a bounded queue.
final class WorkerPool: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var next = 0
    var isClosed = false

    var count: Int { waiting.count - next }

    mutating func take() -> (@Sendable () -> Void)? {
      guard next < waiting.count else { return nil }
      defer {
        next += 1
        if next > 512 {
          waiting.removeFirst(next)
          next = 0
        }
      }
      return waiting[next]
    }
  }

  private let state = Mutex(State())
  private let gate = Gate()
  private let capacity: Int
  private let threads = Mutex<[WorkerThread]>([])

  init(threads count: Int, capacity: Int) {
    self.capacity = capacity
    threads.withLock { threads in
      threads = (0..<count).map { _ in WorkerThread { [self] in run() } }
    }
  }

  var waiting: Int { state.withLock { $0.count } }

  /// Queues work.
  ///
  /// - Returns: `false` when too much is waiting, or the pool is closed: then it is not done.
  func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.count < capacity else { return false }
      state.waiting.append(work)
      return true
    }
    if isTaken { gate.open() }
    return isTaken
  }

  /// Does what waits, and ends the threads.
  func close() {
    state.withLock { $0.isClosed = true }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for _ in threads { gate.open() }
    for thread in threads { thread.join() }
  }

  private func run() {
    while true {
      gate.pass()
      let work = state.withLock { $0.take() }
      if let work {
        work()
      } else if state.withLock({ $0.isClosed }) {
        return
      }
    }
  }
}
