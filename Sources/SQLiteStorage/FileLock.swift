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
    guard FileLock.take(descriptor) else {
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
