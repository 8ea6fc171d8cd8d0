import Synchronization

extension Ledger {
  /// Runs one of the writing calls and waits for its commit: for commands and tests, never for a
  /// thread that serves others.
  package func wait<Value: Sendable>(
    _ call: (@escaping Completion<Value>) -> Void
  ) throws(StoreError) -> Value {
    let answer = Answer<Value>()
    call { answer.give($0) }
    return try answer.take().get()
  }
}

/// Hands one value from one thread to another that waits for it.
private final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, StoreError>?>(nil)
  private let given = Semaphore()

  func give(_ result: Result<Value, StoreError>) {
    self.result.withLock { $0 = result }
    given.signal()
  }

  func take() -> Result<Value, StoreError> {
    given.wait()
    return result.withLock { $0 } ?? .failure(.closed)
  }
}
