import Glibc

/// Local sockets: lines in, lines out.
package enum LocalSocket {
  private static let longest = 16 << 20

  /// What came of a question.
  package enum Answer: Hashable, Sendable {
    case line([UInt8])
    /// Nobody listens there.
    case absent
    /// A server took the question and has not answered in time, or hung up.
    case silent
  }

  /// Asks the server at a path.
  ///
  /// - Returns: its line; `nil` when nobody answers.
  package static func ask(_ request: [UInt8], at path: String) -> [UInt8]? {
    if case .line(let line) = question(request, at: path) { line } else { nil }
  }

  /// Asks the server at a path, and tells a server that is silent from none.
  ///
  /// - Parameters:
  ///   - request: One line, without its end.
  ///   - path: Where it listens.
  ///   - patience: How long it may take, in seconds.
  /// - Returns: What came of it.
  package static func question(
    _ request: [UInt8], at path: String, patience: Int = 60
  ) -> Answer {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return .absent }
    defer { close(descriptor) }
    guard withAddress(path, { connect(descriptor, $0, $1) }) == 0 else { return .absent }
    setPatience(descriptor, seconds: patience)
    send(request + [0x0A], to: descriptor)
    return line(from: descriptor).map(Answer.line) ?? .silent
  }

  static func listen(at path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 8) == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Takes away what a server left that was killed; anything but a socket stays.
  static func removeLeftover(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    unlink(path)
  }

  static func setPatience(_ descriptor: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  /// What comes before the first line feed.
  static func line(from descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < longest {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      bytes += piece[..<count]
      if let end = bytes.firstIndex(of: 0x0A) { return Array(bytes[..<end]) }
    }
    return nil
  }

  static func send(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether a path is short enough for a socket.
  package static func canBe(at path: String) -> Bool {
    path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
  }

  /// - Returns: -1 also for a path that is too long.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard canBe(at: path) else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
