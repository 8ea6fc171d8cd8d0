import CMicrohttpd
import Glibc

/// Wakes one waiting thread; raised before the wait it is not lost.
package final class Signal: Sendable {
  /// Can be read while the signal is raised, for those who wait for several things.
  let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

  package init() {}

  deinit { close(descriptor) }

  package func raise() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Returns once it was raised, or when the time is over.
  package func wait(milliseconds: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, milliseconds)
    lower()
  }

  func lower() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
