import CSQLite
import LedgerStorage

/// One open connection and the statements it keeps prepared; used by one thread at a time.
final class SQLiteConnection {
  /// What a connection may do with the file.
  enum Mode {
    case readOnly
    case readWrite

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  let handle: OpaquePointer
  /// Let go only after the connection is closed.
  var lock: FileLock?
  private var prepared: [ObjectIdentifier: SQLitePreparedStatement] = [:]

  /// Once for the process; where somebody else uses SQLite already, it stays as it is.
  private static let configuration = csqlite_keep_no_memory_statistics()

  init(path: String, mode: Mode) throws(SQLiteFailure) {
    _ = Self.configuration
    var handle: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(code: code, handle: handle)
      sqlite3_close_v2(handle)
      throw failure
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5_000)
    self.handle = handle
  }

  deinit {
    prepared.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs statements that take no values, one after the other.
  func execute(_ text: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle: handle) }
  }

  /// Whether a transaction is open; an error may have ended it behind our back.
  var isInTransaction: Bool {
    sqlite3_get_autocommit(handle) == 0
  }

  /// How many rows were ever written, also where that was undone.
  var totalChanges: Int32 { sqlite3_total_changes(handle) }

  func prepare(_ statement: SQLStatement) throws(SQLiteFailure) -> SQLitePreparedStatement {
    if let known = prepared[ObjectIdentifier(statement)] { return known }
    let new = try SQLitePreparedStatement(statement, on: handle)
    prepared[ObjectIdentifier(statement)] = new
    return new
  }
}

extension SQLiteConnection: SQLSession {
  @discardableResult
  func run(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int {
    do throws(SQLiteFailure) {
      let prepared = try prepare(statement)
      try prepared.bind(values)
      defer { prepared.reset() }
      while try prepared.step() {}
      return Int(sqlite3_changes(handle))
    } catch {
      throw error.storeError
    }
  }

  func insert(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    // Faster than RETURNING, for which SQLite makes a table of its own each time.
    try run(statement, values)
    return sqlite3_last_insert_rowid(handle)
  }

  func insertNew(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int64? {
    try run(statement, values) > 0 ? sqlite3_last_insert_rowid(handle) : nil
  }

  func forEach(
    _ statement: SQLStatement, _ values: [SQLValue],
    _ read: (any SQLRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let prepared: SQLitePreparedStatement
    do throws(SQLiteFailure) {
      prepared = try prepare(statement)
      try prepared.bind(values)
    } catch {
      throw error.storeError
    }
    defer { prepared.reset() }
    while try next(prepared), try read(prepared) {}
  }

  private func next(_ prepared: SQLitePreparedStatement) throws(StoreError) -> Bool {
    do throws(SQLiteFailure) {
      return try prepared.step()
    } catch {
      throw error.storeError
    }
  }
}
