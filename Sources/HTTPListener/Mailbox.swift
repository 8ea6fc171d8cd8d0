import CMicrohttpd
import Glibc
import Synchronization

/// Work that other threads leave for a loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  init() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
  }

  deinit { close(descriptor) }

  func post(_ work: @escaping @Sendable () -> Void) {
    let wasEmpty = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    if wasEmpty { wake() }
  }

  func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for piece in work { piece() }
  }
}
