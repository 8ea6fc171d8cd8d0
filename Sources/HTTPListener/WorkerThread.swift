import Glibc

/// A thread of the system, for work that blocks: the pool that Swift's tasks share must never wait.
package final class WorkerThread: Sendable {
  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, WorkerThread.start, box)
    precondition(code == 0, "the system refuses another thread")
    self.thread = thread
  }

  package func join() {
    pthread_join(thread, nil)
  }

  private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    {
      context in
      guard let context else { return nil }
      let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
      box.body()
      return nil
    }
}
