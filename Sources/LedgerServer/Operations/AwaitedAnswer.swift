import LedgerStorage
import Synchronization

/// Hands an answer that is given elsewhere to the thread that waits for it.
final class AwaitedAnswer<Value: Sendable>: Sendable {
  private let answer = Mutex<Result<Value, Problem>?>(nil)
  private let done = Semaphore()

  /// To be called once.
  func give(_ result: Result<Value, Problem>) {
    answer.withLock { $0 = result }
    done.signal()
  }

  func take() throws(Problem) -> Value {
    done.wait()
    return try (answer.withLock { $0 } ?? .failure(Problem(.internalError))).get()
  }
}
