import CSQLite
import LedgerStorage

/// What SQLite answered instead of success.
struct SQLiteFailure: Error, Hashable {
  /// SQLite's extended result code.
  let code: Int32
  /// SQLite's own sentence; names tables and files, never values.
  let message: String

  init(code: Int32, handle: OpaquePointer?) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    // A handle that failed to open may answer about an earlier call.
    self.code = extended & 0xFF == code & 0xFF ? extended : code
    message =
      handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
  }

  private var primaryCode: Int32 { code & 0xFF }

  var storeError: StoreError {
    switch primaryCode {
    case SQLITE_FULL: .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(detail: detail)
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_MISUSE, SQLITE_RANGE:
      .inconsistent(detail: detail)
    default: .unavailable(detail: detail)
    }
  }

  var openingError: StoreOpeningError {
    switch primaryCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB: .notALedger(detail: detail)
    default: .unreadable(detail: detail)
    }
  }

  private var detail: String {
    "\(message) (SQLite \(code))"
  }
}
