import Glibc
package import LedgerStorage

/// Makes a whole, consistent copy of a ledger, also while a server writes to it.
package struct SQLiteCopy {
  private let source: String
  private let target: String

  /// - Parameters:
  ///   - source: A ledger's file; a log beside it is part of it.
  ///   - target: A path where nothing is.
  package init(of source: String, to target: String) {
    self.source = source
    self.target = target
  }

  /// Writes the copy and has it on the disk when this returns.
  ///
  /// - Returns: How many facts it holds.
  /// - Throws: ``StoreOpeningError``; nothing is at the target then that was not there before.
  package func write() throws(StoreOpeningError) -> Int64 {
    let connection = try opened()
    let facts = try self.facts(connection)
    try reserve()
    do throws(StoreOpeningError) {
      try copy(connection)
      try flush()
    } catch {
      unlink(target)
      throw error
    }
    return facts
  }

  private func opened() throws(StoreOpeningError) -> SQLiteConnection {
    var status = stat()
    guard stat(source, &status) == 0, status.st_size > 0 else {
      throw .unreadable(detail: "there is no ledger at \(source)")
    }
    do throws(SQLiteFailure) {
      return try SQLiteConnection(path: source, mode: .readOnly)
    } catch {
      throw error.openingError
    }
  }

  private func facts(_ connection: SQLiteConnection) throws(StoreOpeningError) -> Int64 {
    do throws(StoreError) {
      guard try connection.number(Self.ledgerTables, []) == 2 else {
        throw StoreError.damaged(detail: "\(source) is no ledger")
      }
      return try connection.number(Self.count, []) ?? 0
    } catch {
      switch error {
      case .damaged, .inconsistent: throw .notALedger(detail: error.description)
      default:
        throw .unreadable(
          detail: "\(error) (SQLite must be able to write -shm and -wal beside \(source))")
      }
    }
  }

  /// Takes the target's name for a file of this user's alone, so that nothing is ever overwritten.
  private func reserve() throws(StoreOpeningError) {
    for suffix in ["-wal", "-journal"] where access(target + suffix, F_OK) == 0 {
      throw .occupied(path: target + suffix)
    }
    let descriptor = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      case EEXIST: throw .occupied(path: target)
      case ENOENT: throw .noFolder(path: target)
      default: throw .uncopied(to: target, detail: String(cString: strerror(errno)))
      }
    }
    close(descriptor)
  }

  private func copy(_ connection: SQLiteConnection) throws(StoreOpeningError) {
    do throws(StoreError) {
      try connection.run(Self.vacuum, [.text(target)])
    } catch {
      if case .damaged(let detail) = error { throw .notALedger(detail: detail) }
      throw .uncopied(to: target, detail: error.description)
    }
  }

  /// SQLite leaves it to the system when the copy reaches the disk.
  private func flush() throws(StoreOpeningError) {
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { String(target[...$0]) } ?? "."
    for path in [target, folder] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      guard descriptor >= 0, fsync(descriptor) == 0 else {
        throw .uncopied(to: target, detail: "\(path): \(String(cString: strerror(errno)))")
      }
    }
  }

  private static let vacuum = SQLStatement("VACUUM INTO ?")
  private static let count = SQLStatement("SELECT count(*) FROM facts")
  private static let ledgerTables = SQLStatement(
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('migrations', 'store_identity')")
}
