import AppStoreModel
import Synchronization

@testable import AppStoreServerAPI

/// A clock that stands still until somebody waits for it: then it is that moment.
final class TurningClock: Sendable {
  static let start = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  private let time = Mutex(TurningClock.start)

  var now: Timestamp { time.withLock { $0 } }

  func turn(_ span: TimeSpan) { time.withLock { $0 = $0.adding(span) } }

  var clock: APIClock {
    APIClock(now: { self.now }) { moment in
      await Task.yield()
      guard !Task.isCancelled else { return }
      self.time.withLock { $0 = max($0, moment) }
    }
  }
}

extension Timestamp {
  func seconds(after earlier: Timestamp) -> Int64 {
    (millisecondsSince1970 - earlier.millisecondsSince1970) / 1_000
  }
}
