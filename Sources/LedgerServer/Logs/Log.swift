import HTTPListener
import Glibc
import Synchronization

/// Writes log lines from a thread of its own, so that a reader that has stopped reading holds up nobody.
package final class Log: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var dropped = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let capacity: Int
  private let signal = Signal()
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameters:
  ///   - descriptor: An open file; standard error as a rule.
  ///   - capacity: How many lines may wait; further ones are counted and dropped.
  package init(descriptor: Int32 = STDERR_FILENO, capacity: Int = 10_000) {
    self.descriptor = descriptor
    self.capacity = capacity
    thread.withLock { $0 = WorkerThread { [self] in run() } }
  }

  func write(_ line: LogLine) {
    let text = line.text(at: WallClock.now)
    state.withLock { state in
      if state.waiting.count >= capacity {
        state.dropped += 1
      } else {
        state.waiting.append(text)
      }
    }
    signal.raise()
  }

  /// Writes what waits and stops.
  package func close() {
    state.withLock { $0.isClosed = true }
    signal.raise()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run() {
    while true {
      let (lines, dropped, isClosed) = state.withLock { state in
        defer {
          state.waiting = []
          state.dropped = 0
        }
        return (state.waiting, state.dropped, state.isClosed)
      }
      for line in lines { put(line) }
      if dropped > 0 {
        put(LogLine(.warning, "linesDropped").with("count", Int64(dropped)).text(at: WallClock.now))
      }
      if lines.isEmpty {
        if isClosed { return }
        signal.wait(milliseconds: 1_000)
      }
    }
  }

  private func put(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
