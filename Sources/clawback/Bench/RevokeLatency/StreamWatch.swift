import AppStoreModel
import Glibc
import HTTPListener
import Synchronization

/// Holds the stream open and notes when each customer's revocation was read from it.
final class StreamWatch: Sendable {
  let moments = RevocationMoments()
  private let socket: Int32
  private let thread = WorkerThread()

  /// Connects to `base` and begins to read; returns once the server has answered.
  init(base: String, key: String) throws {
    guard let port = base.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw CommandFailure("\(base) names no port.")
    }
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard StreamWatch.connect(socket, port) else {
      throw CommandFailure("The stream cannot be opened.")
    }
    let request =
      "GET /v1/events/stream?types=revoked HTTP/1.1\r\nHost: localhost\r\n"
      + "Authorization: Bearer \(key)\r\n\r\n"
    let bytes = Array(request.utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw CommandFailure("The stream cannot be opened.")
    }
    var text: [UInt8] = []
    while text.firstRange(of: Array(": connected".utf8)) == nil {
      guard receive(into: &text) else { throw CommandFailure("The stream was refused.") }
    }
    thread.start { [self] in watch() }
  }

  deinit { close(socket) }

  private func watch() {
    let mark = Array("\"customer\":\"".utf8)
    var text: [UInt8] = []
    while receive(into: &text) {
      let now = WallClock.steadySeconds
      while let place = text.firstRange(of: mark),
        let end = text[place.upperBound...].firstIndex(of: UInt8(ascii: "\""))
      {
        let customer = String(decoding: text[place.upperBound..<end], as: UTF8.self)
        moments.note(customer, at: now)
        text.removeFirst(end)
      }
    }
  }

  private func receive(into text: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { return false }
    text += piece[..<count]
    return true
  }

  private static func connect(_ socket: Int32, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    } == 0
  }
}
