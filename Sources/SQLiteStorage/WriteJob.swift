import LedgerStorage

/// A queued write: run inside the transaction, finished after it.
protocol WriteJob: AnyObject {
  func run(on session: any SQLSession) throws(StoreError)
  /// Tells the submitter how it ended: `nil` once it is durable.
  func finish(_ failure: StoreError?)
}

/// A write that answers a value.
final class ValueJob<Value: Sendable>: WriteJob {
  private let work: @Sendable (any SQLSession) throws(StoreError) -> Value
  private let completion: @Sendable (Result<Value, StoreError>) -> Void
  private var value: Value?

  init(
    work: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value,
    completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
  ) {
    self.work = work
    self.completion = completion
  }

  func run(on session: any SQLSession) throws(StoreError) {
    value = try work(session)
  }

  func finish(_ failure: StoreError?) {
    if let failure {
      completion(.failure(failure))
    } else if let value {
      completion(.success(value))
    }
  }
}
