import Glibc
import HTTPListener
import Synchronization

/// Stands between a client and a server, and can be cut like a cable.
final class Relay: Sendable {
  struct Failure: Error {}

  /// One client's connection and that to the server; both end with the object.
  private final class Line: Sendable {
    let client: Int32
    let server: Int32

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }

    deinit {
      close(client)
      close(server)
    }
  }

  private struct State {
    var isCut = false
    var lines: [Line] = []
  }

  let port: UInt16
  private let target: UInt16
  private let listener: Int32
  private let state = Mutex(State())

  /// Listens on a free port for a server on this machine.
  init(to target: UInt16) throws {
    self.target = target
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = Self.address(0)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw Failure() }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    _ = WorkerThread { [self] in run() }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Ends every connection, and each new one at once, until it is mended.
  func cut() {
    let lines = state.withLock { state in
      defer { state.lines = [] }
      state.isCut = true
      return state.lines
    }
    for line in lines { line.cut() }
  }

  func mend() { state.withLock { $0.isCut = false } }

  func stop() {
    cut()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func run() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { break }
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let line = Line(client: client, server: server)
      let isOpen = state.withLock { state in
        if !state.isCut { state.lines.append(line) }
        return !state.isCut
      }
      guard isOpen, connect(server) else { continue }
      _ = WorkerThread { Relay.pump(line, from: line.client, to: line.server) }
      _ = WorkerThread { Relay.pump(line, from: line.server, to: line.client) }
    }
    close(listener)
  }

  private func connect(_ descriptor: Int32) -> Bool {
    var address = Self.address(target)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func pump(_ line: Line, from source: Int32, to sink: Int32) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &piece, piece.count, 0)
      guard count > 0 else { break }
      var sent = 0
      while sent < count {
        let more = piece[sent..<count].withUnsafeBytes {
          send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard more > 0 else { return line.cut() }
        sent += more
      }
    }
    line.cut()
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}
