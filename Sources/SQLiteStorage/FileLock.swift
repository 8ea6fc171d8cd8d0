import Glibc
import LedgerStorage
import Synchronization

/// Keeps a second process from writing to a database file.
///
/// The lock is the kernel's, on a file beside the database, so it ends with the process however
/// that ends. The text in the file tells who to ask, and that the database has been a ledger.
final class FileLock: Sendable {
  private static let mark = "ledger"

  private let databasePath: String
  private let descriptor: Int32
  private let holder: LockHolder
  /// Whether the database has been a ledger, now or in an earlier process.
  private let isLedger: Atomic<Bool>

  /// - Throws: ``StoreOpeningError`` `lockedByAnother` or `unreadable`.
  init(databasePath: String, holder: LockHolder) throws(StoreOpeningError) {
    let path = databasePath + ".lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unreadable(detail: "\(path): \(String(cString: strerror(errno)))")
    }
    guard FileLock.take(descriptor) else {
      let other = FileLock.holder(descriptor)
      close(descriptor)
      throw .lockedByAnother(other)
    }
    self.descriptor = descriptor
    self.databasePath = databasePath
    self.holder = holder
    isLedger = Atomic(FileLock.lines(descriptor).dropFirst(2).first == FileLock.mark)
    write(holder)
  }

  deinit {
    write(nil)
    close(descriptor)
  }

  /// Remembers beside the database that it holds a ledger.
  func markLedger() {
    guard !isLedger.exchange(true, ordering: .relaxed) else { return }
    write(holder)
  }

  /// Refuses a database that holds nothing although it held a ledger: SQLite would take it for a new
  /// one, and drop the log beside it.
  func refuseEmptied() throws(StoreOpeningError) {
    let size = FileLock.size(databasePath)
    let wasLedger = isLedger.load(ordering: .relaxed) && size != nil
    let hasLog = FileLock.size(databasePath + "-wal") ?? 0 > 0
    if size ?? 0 == 0, wasLedger || hasLog { throw .emptied(path: databasePath) }
  }

  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Takes the lock, and waits up to a second for one that nobody has signed.
  ///
  /// Whoever lets a lock go wipes the signature first, but a program that its process is just
  /// starting keeps the lock until it runs.
  private static func take(_ descriptor: Int32) -> Bool {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK, holder(descriptor) == nil else { return false }
      poll(nil, 0, 10)
    }
    return false
  }

  /// Shape: lines with the process, its socket, the mark of a ledger, and what it runs.
  private func write(_ holder: LockHolder?) {
    let mark = isLedger.load(ordering: .relaxed) ? FileLock.mark : ""
    let processID = holder.map { "\($0.processID)" } ?? ""
    let text = "\(processID)\n\(holder?.socketPath ?? "")\n\(mark)\n\(holder?.command ?? "")\n"
    ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  private static func holder(_ descriptor: Int32) -> LockHolder? {
    let lines = lines(descriptor)
    guard let processID = lines.first.flatMap({ Int32($0) }) else { return nil }
    func line(_ number: Int) -> String? {
      lines.dropFirst(number).first.flatMap { $0.isEmpty ? nil : $0 }
    }
    return LockHolder(processID: processID, socketPath: line(1), command: line(3))
  }

  private static func lines(_ descriptor: Int32) -> [String] {
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
