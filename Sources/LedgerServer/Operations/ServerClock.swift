import HTTPListener
package import AppStoreModel

/// Tells the time; a test brings a clock of its own.
package struct ServerClock: Sendable {
  package static let system = ServerClock(
    now: { WallClock.now }, ticks: { MonotonicClock.milliseconds })

  let now: @Sendable () -> Timestamp
  /// Never jumps, and says nothing of the date: for how long ago something was.
  ///
  /// Unit: milliseconds since an arbitrary moment.
  let ticks: @Sendable () -> Int64

  /// One clock for both.
  package init(_ now: @escaping @Sendable () -> Timestamp) {
    self.init(now: now, ticks: { now().millisecondsSince1970 })
  }

  private init(now: @escaping @Sendable () -> Timestamp, ticks: @escaping @Sendable () -> Int64) {
    self.now = now
    self.ticks = ticks
  }
}
