package import AppStoreModel
import EntitlementKit
import Foundation

/// The clock of a simulated device, as the kit sees it.
package struct SimulatedClock: KitClock {
  private let device: SimulatedDevice

  package init(_ device: SimulatedDevice) {
    self.device = device
  }

  package var now: Timestamp { device.moment }

  package func sleep(_ span: TimeSpan) async { await device.sleep(span) }
}

extension SimulatedDevice {
  /// Waits until the device's clock was moved so far.
  func sleep(_ span: TimeSpan) async {
    let id: Int = locked {
      nextSleeper += 1
      return nextSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver: Bool = locked {
          let until = store.now.adding(span)
          if span <= .zero || Task.isCancelled { return true }
          sleepers.append((id, until, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake { $0.id == id }
    }
  }

  /// Lets time pass.
  public func advance(days: Int = 0, hours: Int = 0, seconds: Int = 0) {
    let whole = Int64(days) * 86_400 + Int64(hours) * 3_600 + Int64(seconds)
    advance(by: .seconds(whole))
  }

  package func advance(by span: TimeSpan) {
    let now: Timestamp = mutate {
      $0.now = $0.now.adding(span)
      return $0.now
    }
    wake { $0.until <= now }
  }

  private func wake(
    _ isDue: ((id: Int, until: Timestamp, wake: CheckedContinuation<Void, Never>)) -> Bool
  ) {
    let due = locked {
      let due = sleepers.filter(isDue)
      sleepers.removeAll(where: isDue)
      return due
    }
    for sleeper in due { sleeper.wake.resume() }
  }
}

extension SimulatedDevice {
  /// How many wait for the clock to be moved.
  package var sleeperCount: Int { locked { sleepers.count } }
}
