import Glibc
import Synchronization

/// Remembers when each customer's revocation was first heard of on one way.
final class RevocationMoments: Sendable {
  private let moments = Mutex<[String: Double]>([:])

  /// Notes that a customer's event is here; what is repeated counts for nothing.
  func note(_ customer: String, at moment: Double) {
    moments.withLock { $0[customer] = $0[customer] ?? moment }
  }

  /// When a customer's event was heard, on the steady clock; `nil` if it does not come in time.
  func moment(of customer: String, patience: Double) -> Double? {
    let end = WallClock.steadySeconds + patience
    while WallClock.steadySeconds < end {
      if let moment = moments.withLock({ $0[customer] }) { return moment }
      usleep(100)
    }
    return nil
  }
}
