import Glibc
import Synchronization

/// A thread of the system, for work that blocks: the pool that Swift's tasks share must never wait.
package final class WorkerThread: Sendable {
  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private let thread = Mutex<pthread_t?>(nil)

  package init() {}

  package convenience init(_ body: @escaping @Sendable () -> Void) {
    self.init()
    start(body)
  }

  package func start(_ body: @escaping @Sendable () -> Void) {
    thread.withLock { thread in
      precondition(thread == nil, "a thread is started once")
      let box = Unmanaged.passRetained(Box(body)).toOpaque()
      var started = pthread_t()
      let code = pthread_create(&started, nil, WorkerThread.run, box)
      precondition(code == 0, "the system refuses another thread")
      thread = started
    }
  }

  /// Waits for the thread's end; returns at once if none was started, or its end was waited for before.
  package func join() {
    thread.withLock { thread in
      if let thread { pthread_join(thread, nil) }
      thread = nil
    }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context else { return nil }
    let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
    box.body()
    return nil
  }
}
