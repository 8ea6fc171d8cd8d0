import Glibc

/// Reads whole files that a user named.
enum InputFile {
  /// The bytes of a file, or of standard input for `-` and `nil`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: How large it may be, in MiB.
  /// - Returns: All of it.
  /// - Throws: ``CommandFailure`` with ``ExitCode/unusable``, naming the file and the system's reason.
  static func read(_ path: String?, mebibytes limit: Int = 64) throws(CommandFailure) -> [UInt8] {
    guard let path, path != "-" else {
      return try read(STDIN_FILENO, named: "standard input", limit)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    return try read(descriptor, named: path, limit)
  }

  private static func read(
    _ descriptor: Int32, named name: String, _ limit: Int
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      guard count > 0 else { throw failure(name) }
      bytes += piece[..<count]
      guard bytes.count <= limit << 20 else {
        throw CommandFailure("\(name) is larger than \(limit) MiB.", code: .unusable)
      }
    }
  }

  private static func failure(_ name: String) -> CommandFailure {
    let isFolder = errno == EISDIR
    return CommandFailure(
      "\(name) cannot be read: \(String(cString: strerror(errno))).",
      advice: isFolder ? "Name a file in it." : nil, code: .unusable)
  }
}
