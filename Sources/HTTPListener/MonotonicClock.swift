import Glibc

/// Reads the clock that never jumps, for deadlines.
package enum MonotonicClock {
  /// Unit: milliseconds since an arbitrary moment.
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
