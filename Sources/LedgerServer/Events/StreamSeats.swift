import Synchronization

/// Counts who holds streams open, in total, by key and by address.
final class StreamSeats: Sendable {
  private struct State {
    var total = 0
    var keys: [String: Int] = [:]
    var peers: [String: Int] = [:]
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(_ limits: Limits) {
    self.limits = limits
  }

  var taken: Int { state.withLock { $0.total } }

  /// Takes a seat until it is given back.
  func take(key: String, peer: String) throws(Problem) {
    let refusal: Problem? = state.withLock { state in
      if state.total >= limits.streams { return Problem(.overloaded, "Too many open streams.") }
      if state.keys[key, default: 0] >= limits.streamsPerKey {
        return Problem(.rateLimited, "This key has \(limits.streamsPerKey) streams open.")
          .with("Retry-After", "5")
      }
      if state.peers[peer, default: 0] >= limits.streamsPerAddress {
        return Problem(
          .rateLimited, "This address has \(limits.streamsPerAddress) streams open."
        ).with("Retry-After", "5")
      }
      state.total += 1
      state.keys[key, default: 0] += 1
      state.peers[peer, default: 0] += 1
      return nil
    }
    if let refusal { throw refusal }
  }

  func giveBack(key: String, peer: String) {
    state.withLock { state in
      state.total -= 1
      StreamSeats.lower(&state.keys, key)
      StreamSeats.lower(&state.peers, peer)
    }
  }

  private static func lower(_ counts: inout [String: Int], _ name: String) {
    let left = counts[name, default: 1] - 1
    counts[name] = left > 0 ? left : nil
  }
}
