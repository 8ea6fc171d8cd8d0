import AppStoreModel
import AppStoreServerAPI
import LedgerServer
import Synchronization

/// A clock that stands still until somebody waits for a moment: then it is that moment.
final class TurnedClock: Sendable {
  private let time: Mutex<Timestamp>

  init(_ start: Timestamp) {
    time = Mutex(start)
  }

  var now: Timestamp { time.withLock { $0 } }

  func turn(to moment: Timestamp) { time.withLock { $0 = max($0, moment) } }

  /// As the server reads it.
  var server: ServerClock { ServerClock { self.now } }

  /// As the client of Apple's API reads it.
  var client: APIClock {
    APIClock(now: { self.now }) { moment in
      await Task.yield()
      guard !Task.isCancelled else { return }
      self.turn(to: moment)
    }
  }

  /// How a reconciler rests by it.
  var pause: ReconciliationPause {
    ReconciliationPause { until, _ in
      await Task.yield()
      self.turn(to: until)
    }
  }
}
