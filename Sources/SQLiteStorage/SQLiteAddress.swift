import Glibc
package import LedgerStorage

/// Where a SQLite ledger is.
///
/// Shape: `sqlite::memory:`, `sqlite:PATH` or a path alone.
package enum SQLiteAddress: Hashable, Sendable {
  case memory
  case file(path: String)

  package init(_ text: String) throws(StoreOpeningError) {
    let place = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
    guard !place.isEmpty, !place.utf8.contains(0) else { throw .unknownAddress(text) }
    if place == ":memory:" {
      self = .memory
      return
    }
    guard text.hasPrefix("sqlite:") || !SQLiteAddress.hasScheme(text) else {
      throw .unknownAddress(text)
    }
    self = .file(path: place)
  }

  /// The one path that every process calls the file by: locks, logs and sockets lie beside it.
  ///
  /// - Throws: ``StoreOpeningError/unreadable(detail:)`` for a file with a second name, under which
  ///   another process could write past the lock.
  package func resolved() throws(StoreOpeningError) -> SQLiteAddress {
    guard case .file(let path) = self else { return self }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if lstat(path, &status) == 0 { throw .unreadable(detail: "\(path) is a link to nothing") }
      return self
    }
    let isPlain = status.st_mode & S_IFMT == S_IFREG
    guard !isPlain || status.st_nlink == 1 else {
      throw .unreadable(detail: "\(path) has a second name, a hard link")
    }
    guard let real = realpath(path, nil) else { return self }
    defer { free(real) }
    return .file(path: String(cString: real))
  }

  /// Refuses what is no file of SQLite's before anything is put beside it.
  func refuseForeign() throws(StoreOpeningError) {
    var status = stat()
    guard case .file(let path) = self, stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(detail: "\(path) is no file")
    }
    // Where a lock is, nothing new is left; and closing a file that this process has open by SQLite
    // would let go of SQLite's own locks.
    guard status.st_size > 0, access(path + ".lock", F_OK) != 0 else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(detail: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: SQLiteAddress.magic.count)
    let count = pread(descriptor, &head, head.count, 0)
    guard count == head.count, head == SQLiteAddress.magic else {
      throw .notALedger(detail: "\(path) is no database of SQLite's")
    }
  }

  /// What a database begins with.
  ///
  /// Source: "Database File Format" of SQLite, section 1.3.1.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Takes away a ledger's file and all that lies beside it: for one that was just made in vain.
  package func remove() {
    guard case .file(let path) = self else { return }
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
  }

  /// Whether there is something at its place already.
  package var exists: Bool {
    guard case .file(let path) = self else { return false }
    return access(path, F_OK) == 0
  }

  /// Whether it begins like the address of another kind of store.
  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return false }
    return text[..<colon].utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
  }
}
