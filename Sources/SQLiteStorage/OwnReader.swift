import LedgerStorage

/// Reads a file on a read-only connection of its own.
final class OwnReader: StoreReader {
  private static let begin = SQLStatement("BEGIN")
  private static let commit = SQLStatement("COMMIT")

  private let connection: SQLiteConnection

  init(connection: SQLiteConnection) {
    self.connection = connection
  }

  func read<Value>(
    _ body: (any SQLSession) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try connection.run(Self.begin, [])
    do throws(StoreError) {
      let value = try body(connection)
      try connection.run(Self.commit, [])
      return value
    } catch {
      if connection.isInTransaction { _ = try connection.run(Self.commit, []) }
      throw error
    }
  }
}
