import AppStoreModel
import Glibc

/// The clocks of a command; rules take the moment as an argument.
enum WallClock {
  static var now: Timestamp {
    Timestamp(millisecondsSince1970: Int64(seconds(CLOCK_REALTIME) * 1_000))
  }

  /// CPU time of the whole process, in seconds.
  static var cpuSeconds: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  /// A clock that never jumps, in seconds.
  static var steadySeconds: Double { seconds(CLOCK_MONOTONIC) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}
