import AppStoreModel
import Synchronization

/// Counts what each sender did in the minute that runs.
final class RateLimiter: Sendable {
  private struct Window {
    var minute: Int64 = 0
    var counts: [String: Int] = [:]
  }

  private static let greatestCount = 100_000
  private let window = Mutex(Window())
  private let perMinute: Int

  init(perMinute: Int) {
    self.perMinute = perMinute
  }

  /// Whether the sender may do it once more; counted if so.
  ///
  /// Senders beyond the first hundred thousand of a minute share one count, so that memory is bounded.
  func admits(_ sender: String, at now: Timestamp) -> Bool {
    window.withLock { window in
      let minute = now.millisecondsSince1970 / 60_000
      if minute != window.minute { window = Window(minute: minute) }
      let isKnown = window.counts[sender] != nil
      let name = isKnown || window.counts.count < RateLimiter.greatestCount ? sender : ""
      guard window.counts[name, default: 0] < perMinute else { return false }
      window.counts[name, default: 0] += 1
      return true
    }
  }
}
