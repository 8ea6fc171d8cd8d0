import Glibc

/// A connection that sends exactly the bytes a test wants.
final class RawClient {
  private let socket: Int32

  /// `window` keeps the system from taking more than so many bytes that nobody reads.
  init(port: UInt16, from source: String? = nil, window: Int32? = nil) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    }
    if let source {
      let code = RawClient.with(source, 0) { [socket] in bind(socket, $0, $1) }
      guard code == 0 else { throw Failure.noConnection }
    }
    let code = RawClient.with("127.0.0.1", port) { [socket] in connect(socket, $0, $1) }
    guard code == 0 else { throw Failure.noConnection }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  private static func with(
    _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  enum Failure: Error {
    case noConnection
    case closed
  }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether the other side still takes something.
  func sends(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// One answer: its status, its header as text, its body.
  func answer() throws -> (status: Int, header: String, body: String) {
    while true {
      if let end = headerEnd() {
        let header = String(decoding: buffer[..<end], as: UTF8.self)
        let length = RawClient.contentLength(header)
        if buffer.count >= end + length {
          let body = String(decoding: buffer[end..<(end + length)], as: UTF8.self)
          buffer.removeFirst(end + length)
          return (RawClient.status(header), header, body)
        }
      }
      guard receive() else { throw Failure.closed }
    }
  }

  /// The header of an answer that has no body.
  func header() throws -> String {
    while true {
      if let end = headerEnd() {
        defer { buffer.removeFirst(end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard receive() else { throw Failure.closed }
    }
  }

  /// Whether the server closes the connection; what it still sends is passed over.
  func isClosed() -> Bool {
    while receive() {}
    return errno != EAGAIN
  }

  /// Everything up to the end of the connection; `nil` if the server leaves it open.
  func everything() -> String? {
    guard isClosed() else { return nil }
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  private var buffer: [UInt8] = []

  /// The rest of what was received, and then whatever comes; `nil` at the end.
  func piece() -> [UInt8]? {
    if buffer.isEmpty, !receive() { return nil }
    defer { buffer = [] }
    return buffer
  }

  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    errno = 0
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }

  private func headerEnd() -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard buffer.count >= 4 else { return nil }
    return (0...(buffer.count - 4)).first { Array(buffer[$0..<($0 + 4)]) == mark }.map { $0 + 4 }
  }

  private static func status(_ header: String) -> Int {
    Int(header.split(separator: " ")[1]) ?? 0
  }

  private static func contentLength(_ header: String) -> Int {
    for line in header.split(separator: "\r\n") {
      let halves = line.split(separator: ":")
      if halves.count == 2, halves[0].lowercased() == "content-length" {
        return Int(halves[1].drop { $0 == " " }) ?? 0
      }
    }
    return 0
  }
}
