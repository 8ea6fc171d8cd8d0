import LedgerStorage
import Synchronization

/// Lets a command, which runs on the main thread, wait for work that is done elsewhere.
enum Blocking {
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let promise = Promise<Value>()
    Task { promise.keep(await work()) }
    return promise.take()
  }
}

/// Hands over one value.
private final class Promise<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let kept = Semaphore()

  func keep(_ value: Value) {
    self.value.withLock { $0 = value }
    kept.signal()
  }

  func take() -> Value {
    kept.wait()
    guard let value = value.withLock({ $0 }) else {
      preconditionFailure("A promise was signalled before it was kept.")
    }
    return value
  }
}
