import Glibc
import LedgerStorage

/// The one thread that writes: it takes what is queued and commits it together.
///
/// There is no timer. While one group is being flushed the next one gathers, so its size follows
/// the disk's speed by itself.
final class SQLiteWriter: @unchecked Sendable {
  /// How many writes one commit holds at most.
  static let greatestGroup = 256

  private let database: SQLiteDatabase
  private let capacity: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// The rest is guarded by `mutex`.
  private var queue: [any WriteJob] = []
  private var isClosing = false
  private var isFinished = false
  private var thread: pthread_t?

  init(database: SQLiteDatabase, capacity: Int) {
    self.database = database
    self.capacity = capacity
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Starts the thread, which keeps this object until ``close()``.
  func start() -> Bool {
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    guard pthread_create(&thread, nil, SQLiteWriter.main, me.toOpaque()) == 0 else {
      me.release()
      return false
    }
    self.thread = thread
    return true
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let argument = $0 else { return nil }
    Unmanaged<SQLiteWriter>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }

  var waiting: Int {
    locked { queue.count }
  }

  func submit(_ job: any WriteJob) {
    let refusal: StoreError? = locked {
      if isClosing { return .closed }
      if queue.count >= capacity { return .busy(waiting: queue.count) }
      queue.append(job)
      pthread_cond_broadcast(changed)
      return nil
    }
    if let refusal { job.finish(refusal) }
  }

  /// Waits until everything queued is committed and the thread has ended.
  func close() {
    let thread: pthread_t? = locked {
      defer { self.thread = nil }
      isClosing = true
      pthread_cond_broadcast(changed)
      return self.thread
    }
    if let thread {
      pthread_join(thread, nil)
    } else {
      locked { while !isFinished { pthread_cond_wait(changed, mutex) } }
    }
  }

  private func run() {
    while let group = nextGroup() { database.commit(group) }
    locked {
      isFinished = true
      pthread_cond_broadcast(changed)
    }
  }

  private func nextGroup() -> [any WriteJob]? {
    locked {
      while queue.isEmpty && !isClosing { pthread_cond_wait(changed, mutex) }
      if queue.isEmpty { return nil }
      let group = Array(queue.prefix(SQLiteWriter.greatestGroup))
      queue.removeFirst(group.count)
      return group
    }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
