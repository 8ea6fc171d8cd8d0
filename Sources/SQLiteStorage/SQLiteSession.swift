package import LedgerStorage

/// A plain connection to a SQLite file that no process serves.
package enum SQLiteSession {
  /// Opens a file for reading and writing, without the promises of a ``SQLiteStore``.
  package static func open(_ path: String) throws(StoreOpeningError) -> any SQLSession {
    do throws(SQLiteFailure) {
      return try SQLiteConnection(path: path, mode: .readWrite)
    } catch {
      throw error.openingError
    }
  }
}
