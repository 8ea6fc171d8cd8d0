import Glibc

/// A mutex for what several threads borrow in turn.
final class PlainLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() {
    pthread_mutex_lock(mutex)
  }

  func unlock() {
    pthread_mutex_unlock(mutex)
  }

  func locked<Value>(_ body: () -> Value) -> Value {
    lock()
    defer { unlock() }
    return body()
  }
}
