import Foundation

/// A request of which the server has the first half until a test sends the second.
final class HalfRequest {
  private let socket: Int32
  private let rest: ArraySlice<UInt8>

  /// Connects, and sends the header and half of the body.
  init(port: UInt16, path: String, body: String) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let bytes = Array(body.utf8)
    rest = bytes[(bytes.count / 2)...]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw NoConnection() }
    let header = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(bytes.count)\r\n\r\n"
    send(Array(header.utf8) + bytes[..<(bytes.count / 2)])
  }

  deinit { close(socket) }

  struct NoConnection: Error {}

  func sendRest() { send(Array(rest)) }

  /// Everything that comes until the server closes.
  func answer() -> String {
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += piece[..<count]
    }
  }

  private func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }
}
