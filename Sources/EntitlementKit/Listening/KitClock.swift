package import AppStoreModel
import Foundation

/// Time as the kit sees it: the device's, or a test's.
package protocol KitClock: Sendable {
  var now: Timestamp { get }

  /// Waits; returns early when the task is cancelled.
  func sleep(_ span: TimeSpan) async
}

/// The device's own clock.
package struct DeviceClock: KitClock {
  package init() {}

  package var now: Timestamp { Timestamp(Date()) }

  package func sleep(_ span: TimeSpan) async {
    guard span > .zero else { return }
    // A month at most: the number of nanoseconds must fit, and a longer wait is asked for again.
    let milliseconds = min(span.milliseconds, TimeSpan.days(30).milliseconds)
    try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
  }
}
