import Glibc

/// A counting semaphore of the system's, for threads of our own.
package final class Semaphore: @unchecked Sendable {
  private let handle: UnsafeMutablePointer<sem_t>

  package init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  package func signal() {
    sem_post(handle)
  }

  package func wait() {
    while sem_wait(handle) != 0 && errno == EINTR {}
  }
}
