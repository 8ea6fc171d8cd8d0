import AppStoreModel

/// When a silent stream has to show that it lives.
struct StreamPulse {
  let interval: TimeSpan
  /// Unit: milliseconds of a clock that never jumps.
  private var lastSent: Int64

  init(every interval: TimeSpan, at now: Int64) {
    self.interval = interval
    lastSent = now
  }

  mutating func sent(at now: Int64) { lastSent = now }

  func isDue(at now: Int64) -> Bool { now - lastSent >= interval.milliseconds }
}
