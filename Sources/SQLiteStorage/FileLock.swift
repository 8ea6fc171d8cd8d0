import Glibc
import LedgerStorage

/// Keeps a second process from writing to a database file.
///
/// The lock is the kernel's, on a file beside the database, so it ends with the process however
/// that ends. The text in the file only tells who to ask.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``StoreOpeningError`` `lockedByAnother` or `unreadable`.
  init(databasePath: String, socketPath: String?) throws(StoreOpeningError) {
    let path = databasePath + ".lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unreadable(detail: "\(path): \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = FileLock.holder(descriptor)
      close(descriptor)
      throw .lockedByAnother(holder)
    }
    self.descriptor = descriptor
    sign(socketPath: socketPath)
  }

  deinit {
    ftruncate(descriptor, 0)
    close(descriptor)
  }

  private func sign(socketPath: String?) {
    let text = "\(getpid())\n\(socketPath ?? "")\n"
    ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  private static func holder(_ descriptor: Int32) -> LockHolder? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let processID = lines.first.flatMap({ Int32($0) }) else { return nil }
    let socketPath = lines.dropFirst().first.map(String.init) ?? ""
    return LockHolder(processID: processID, socketPath: socketPath.isEmpty ? nil : socketPath)
  }
}
