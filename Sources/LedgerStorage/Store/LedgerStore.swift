package import AppStoreModel

/// A place that keeps a ledger, and what it promises.
///
/// 1. A write whose completion reported success is durable: it survives the death of the process.
/// 2. A write is applied whole or not at all, and a failed one spoils no other.
/// 3. Writes are applied one after the other, in the order of their submission; each sees all that
///    were applied before it.
/// 4. A reader sees only what is committed, and one `read` sees one moment of it.
/// 5. A failure that is transient leaves the store usable: later writes succeed without reopening.
/// 6. A store keeps to the realm it was made for, and to one writing process.
package protocol LedgerStore: AnyObject, Sendable {
  /// The realm that it was stamped with when it was made.
  var realm: Realm { get }

  /// How many writes wait for the writer.
  var waitingWrites: Int { get }

  /// Queues a write and returns; `completion` is called once, after the durable commit or when it
  /// failed, on a thread of the store's (on the caller's own when it is refused at once).
  ///
  /// `work` runs on the store's writer thread and must not wait for anything.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value,
    completion: @escaping @Sendable (Result<Value, StoreError>) -> Void)

  /// Opens a way of reading for one thread, which keeps it.
  func makeReader() throws(StoreError) -> any StoreReader

  /// Looks whether a write could be kept now, by how the last one ended.
  func check() throws(StoreError)

  /// Refuses new writes, carries out those that wait, and lets the store go.
  func close()
}

/// Reads a store; used by one thread at a time.
package protocol StoreReader: AnyObject {
  /// Runs `body` on one moment of the store. To be kept short: it holds up the store's upkeep.
  func read<Value>(
    _ body: (any SQLSession) throws(StoreError) -> Value
  ) throws(StoreError) -> Value
}
