import LedgerStorage

extension Ledger {
  /// Runs a writing as one durable transaction and returns once it is committed.
  func committed<Value: Sendable>(
    _ work: @escaping @Sendable (Recorder) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let result = await withCheckedContinuation { continuation in
      write({ continuation.resume(returning: $0) }, work)
    }
    return try result.get()
  }
}
