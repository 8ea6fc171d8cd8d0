package import AppStoreModel
import Glibc

/// Where the time comes from, and how it is waited for.
package struct APIClock: Sendable {
  package let now: @Sendable () -> Timestamp
  /// Returns at that moment, or at once when the task is cancelled.
  package let sleep: @Sendable (Timestamp) async -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Timestamp) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's.
  package static let system = APIClock(now: systemNow) { moment in
    // A clock that was set back makes a second round, one set ahead wakes late by at most a minute.
    while !Task.isCancelled {
      let rest = moment.millisecondsSince1970 - systemNow().millisecondsSince1970
      guard rest > 0 else { return }
      try? await Task.sleep(for: .milliseconds(min(rest, 60_000)))
    }
  }

  @Sendable private static func systemNow() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
