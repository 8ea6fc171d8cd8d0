package import AppStoreModel
import HTTPListener
import Glibc
import Synchronization

/// Writes log lines from a thread of its own, so that a reader that has stopped reading holds up nobody.
package final class Log: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var dropped = 0
    /// When what is still waiting is given up, by a clock that never jumps.
    var end: Int64 = .max
  }

  /// What a pipe that has any room takes whole.
  ///
  /// Source: `PIPE_BUF` in pipe(7).
  private static let pipeRoom = 4_096

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

  /// Writes what waits and stops; where nobody reads, it gives the rest up after a while.
  ///
  /// - Parameter patience: How long the reader has to take what waits.
  package func close(patience: TimeSpan = .seconds(1)) {
    state.withLock { $0.end = MonotonicClock.milliseconds + patience.milliseconds }
    thread.close()
  }

  private func run() {
    while true {
      let isLast = thread.isEnding
      let (lines, dropped) = state.withLock { state in
        defer {
          state.waiting = []
          state.dropped = 0
        }
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
    while !rest.isEmpty, waitForReader() {
      // A pipe that has room takes so much at once, without waiting for its reader.
      let count = rest.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, min($0.count, Log.pipeRoom))
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether there is room for more, as soon as there is; false once the log has waited to its end.
  private func waitForReader() -> Bool {
    guard descriptor >= 0 else { return false }
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while MonotonicClock.milliseconds < state.withLock({ $0.end }) {
      if poll(&room, 1, 50) != 0 { return true }
    }
    return poll(&room, 1, 0) != 0
  }
}
