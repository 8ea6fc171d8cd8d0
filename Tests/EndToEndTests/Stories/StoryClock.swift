import AppStoreModel
import AppStoreSimulator
import LedgerServer

/// The one clock of a story, which apps and server read.
final class StoryClock: Sendable {
  private let faults: DeliveryFaults
  private let hands: TurnedClock

  init(_ start: Timestamp, _ faults: DeliveryFaults) {
    self.faults = faults
    hands = TurnedClock(start)
  }

  var now: Timestamp { hands.now }
  var server: ServerClock { hands.server }

  /// Whether nobody reaches the server.
  var isServerDown: Bool { faults.isDown(at: now) }

  func turn(to moment: Timestamp) { hands.turn(to: moment) }
}
