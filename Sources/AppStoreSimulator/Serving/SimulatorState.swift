import AppStoreModel
import HTTPListener
import Synchronization

/// The simulated server behind a lock, and the calls that wait for an answer that never comes.
final class SimulatorState: Sendable {
  let changed = Signal()
  private let clock: SimulatorListener.HostClock
  private let server: Mutex<SimulatedServer>
  private let held = Mutex<[Reply]>([])

  init(_ simulated: SimulatedServer, clock: @escaping SimulatorListener.HostClock) {
    server = Mutex(simulated)
    self.clock = clock
  }

  func withServer<Result: Sendable>(
    _ body: (inout SimulatedServer, Timestamp) throws -> Result
  ) rethrows -> Result {
    let now = clock()
    defer { changed.raise() }
    return try server.withLock { try body(&$0, now) }
  }

  /// The same for the courier, which must not wake itself.
  func withoutWaking<Result: Sendable>(
    _ body: (inout SimulatedServer, Timestamp) -> Result
  ) -> Result {
    let now = clock()
    return server.withLock { body(&$0, now) }
  }

  func hold(_ reply: Reply) { held.withLock { $0.append(reply) } }

  /// Ends the calls that were left without an answer.
  func releaseHeld() {
    let waiting = held.withLock { held in
      defer { held = [] }
      return held
    }
    for reply in waiting { reply.close() }
  }
}
