import AppStoreModel
import Glibc
import Synchronization

/// The clock of a simulated App Store that stands still, and kills whoever calls it too often.
///
/// Standing still it signs the same thing the same way whenever it is asked.
final class Trap: Sendable {
  private struct State {
    var calls = 0
    var limit = Int.max
    var victim: Int32?
  }

  private let moment: Timestamp
  private let state = Mutex(State())

  init(at moment: Timestamp) {
    self.moment = moment
  }

  /// Counts from now on, and kills at a call's arrival, before it is answered.
  func arm(after calls: Int) { state.withLock { $0 = State(limit: calls) } }

  /// Says who calls; who has called too often already does not live longer.
  func aim(at process: Int32) {
    state.withLock { state in
      state.victim = process
      Self.strike(state)
    }
  }

  func disarm() { state.withLock { $0 = State() } }

  /// Tells the time, as each call asks it to.
  func now() -> Timestamp {
    state.withLock { state in
      state.calls += 1
      Self.strike(state)
    }
    return moment
  }

  private static func strike(_ state: State) {
    guard state.calls >= state.limit, let victim = state.victim else { return }
    kill(victim, SIGKILL)
  }
}
