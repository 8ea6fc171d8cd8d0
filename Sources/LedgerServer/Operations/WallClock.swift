import AppStoreModel
import Glibc

/// Reads the wall clock.
enum WallClock {
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
