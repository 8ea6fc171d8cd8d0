import LedgerStorage

/// Reads a ledger in memory on the writer's connection, between two groups of writes.
final class SharedReader: StoreReader {
  private let database: SQLiteDatabase

  init(database: SQLiteDatabase) {
    self.database = database
  }

  func read<Value>(
    _ body: (any SQLSession) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try database.read(body)
  }
}
