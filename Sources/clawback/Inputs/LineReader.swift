import Glibc

/// Reads a file line by line, however large it is.
final class LineReader {
  /// Greater than anything Apple signs, and small enough to be held.
  static let greatestLine = 16 << 20

  /// The file's size; 0 when it is not known.
  let size: Int
  private(set) var bytesRead = 0

  private let descriptor: Int32
  private let name: String
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private var buffer: [UInt8] = []
  private var start = 0
  /// Where the search for the line's end goes on.
  private var searched = 0
  private var isAtEnd = false

  /// Opens a file, or standard input for `-`.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming the file and the system's reason.
  init(_ path: String) throws(CommandFailure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    let isOpen = descriptor >= 0 && fstat(descriptor, &status) == 0
    size = isOpen && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    guard isOpen else { throw failure() }
  }

  deinit {
    piece.deallocate()
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The next line that is not empty, without its end; `nil` after the last.
  func next() throws(CommandFailure) -> [UInt8]? {
    while true {
      if let end = lineEnd() {
        let line = buffer[start..<end]
        start = end + 1
        searched = start
        if line.contains(where: { $0 > 0x20 }) { return Array(line) }
      } else if isAtEnd {
        let rest = buffer[start...]
        start = buffer.count
        searched = start
        return rest.contains { $0 > 0x20 } ? Array(rest) : nil
      } else {
        try fill()
      }
    }
  }

  private func lineEnd() -> Int? {
    let end = buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
      let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
      return found.map { base.distance(to: UnsafeRawPointer($0)) }
    }
    searched = end ?? buffer.count
    return end
  }

  private func fill() throws(CommandFailure) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    guard buffer.count < LineReader.greatestLine else {
      throw CommandFailure("\(name) has a line of more than 16 MiB.", code: .unusable)
    }
    let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
    guard count >= 0 else { throw failure() }
    bytesRead += count
    isAtEnd = count == 0
    buffer += piece[..<count]
  }

  private func failure() -> CommandFailure {
    CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno))).", code: .unusable)
  }
}
