import HTTPListener
import Glibc
import Synchronization

/// Writes log lines from a thread of its own, so that a reader that has stopped reading holds up nobody.
package final class Log: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var dropped = 0
  }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let capacity: Int
  private let thread = WakeableThread()

  /// - Parameters:
  ///   - descriptor: An open file; standard error as a rule.
  ///   - capacity: How many lines may wait; further ones are counted and dropped.
  package init(descriptor: Int32 = STDERR_FILENO, capacity: Int = 10_000) {
    self.descriptor = descriptor
    self.capacity = capacity
    thread.start { [self] in run() }
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
    thread.wake()
  }

  /// Writes what waits and stops.
  package func close() {
    thread.close()
  }

  private func run() {
    while true {
      let isLast = thread.isEnding
      let (lines, dropped) = state.withLock { state in
        defer { state = State() }
        return (state.waiting, state.dropped)
      }
      for line in lines { put(line) }
      if dropped > 0 {
        put(LogLine(.warning, "linesDropped").with("count", Int64(dropped)).text(at: WallClock.now))
      }
      if lines.isEmpty {
        if isLast { return }
        thread.sleep(milliseconds: 1_000)
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
