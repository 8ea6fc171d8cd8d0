import Glibc
import Synchronization

/// Wakes one waiting thread; raised before the wait it is not lost.
final class Wakeup: @unchecked Sendable {
  // Only sem_ functions touch it, which are made for many threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func raise() { sem_post(semaphore) }

  /// Returns once it was raised, or when the time is over.
  func wait(milliseconds: Int) {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + milliseconds % 1_000 * 1_000_000
    end.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(semaphore, &end) != 0 && errno == EINTR {}
    while sem_trywait(semaphore) == 0 {}
  }
}
