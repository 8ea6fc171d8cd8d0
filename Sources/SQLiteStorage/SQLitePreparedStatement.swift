import CSQLite
import LedgerStorage

/// A compiled statement: bind, step to the end, reset; then again.
final class SQLitePreparedStatement {
  /// Kept alive, for its identity is the key under which this is found.
  private let source: SQLStatement
  private let handle: OpaquePointer
  private var isDone = true

  init(_ source: SQLStatement, on connection: OpaquePointer) throws(SQLiteFailure) {
    self.source = source
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection, source.text, -1, flags, &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteFailure(code: code, handle: connection)
    }
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func bind(_ values: [SQLValue]) throws(SQLiteFailure) {
    isDone = false
    for (index, value) in values.enumerated() {
      let code = bind(value, at: Int32(index + 1))
      guard code == SQLITE_OK else {
        throw SQLiteFailure(code: code, handle: sqlite3_db_handle(handle))
      }
    }
  }

  /// - Returns: Whether a row can be read.
  func step() throws(SQLiteFailure) -> Bool {
    if isDone { return false }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      isDone = true
      return false
    case let code:
      isDone = true
      throw SQLiteFailure(code: code, handle: sqlite3_db_handle(handle))
    }
  }

  /// Ends the statement's transaction on a reader, so that the log can be checkpointed.
  func reset() {
    sqlite3_reset(handle)
    isDone = true
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle, index, characters.baseAddress, UInt64(characters.count), Self.copied,
            UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
      return sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), Self.copied)
    }
  }

  /// Tells SQLite to copy the value before the call returns.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

extension SQLitePreparedStatement: SQLRow {
  func integer(_ column: Int) -> Int64? {
    guard !isNull(column) else { return nil }
    return sqlite3_column_int64(handle, Int32(column))
  }

  func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }
}
