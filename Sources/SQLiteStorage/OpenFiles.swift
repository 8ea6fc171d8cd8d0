import Glibc
import LedgerStorage

/// Notices when the files that a connection has open are no longer those at their path: what is
/// written then would be gone with the process.
struct OpenFiles {
  private struct Identity: Equatable {
    let device: UInt
    let inode: UInt

    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
    }
  }

  private let paths: [String]
  private let opened: [Identity]

  /// - Parameter path: The database, open and with its write-ahead log in being.
  init?(path: String) {
    paths = [path, path + "-wal"]
    opened = paths.compactMap { Identity(path: $0) }
    guard opened.count == paths.count else { return nil }
  }

  func check() throws(StoreError) {
    for (path, identity) in zip(paths, opened) where Identity(path: path) != identity {
      throw .unlinked
    }
  }
}
