import AppStoreModel
import Glibc

/// One connection to the stream of events, read as it comes.
final class StreamedEvents: @unchecked Sendable {
  struct Failure: Error {}

  private let socket: Int32
  private var received: [UInt8] = []
  private var text: [UInt8] = []

  /// Connects, and asks for what comes after an event; from the beginning without one.
  init(port: UInt16, key: String, lastEventID: String?) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Failure() }
    let request = """
      GET /v1/events/stream HTTP/1.1\r
      Host: localhost\r
      Authorization: Bearer \(key)\r
      Last-Event-ID: \(lastEventID ?? "0")\r
      \r

      """
    let bytes = Array(request.utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure()
    }
    let end = Array("\r\n\r\n".utf8)
    while received.firstRange(of: end) == nil { guard fill() else { throw Failure() } }
    guard received.starts(with: Array("HTTP/1.1 200".utf8)),
      let range = received.firstRange(of: end)
    else { throw Failure() }
    received.removeFirst(range.upperBound)
  }

  deinit { close(socket) }

  /// The next event; `nil` when the connection is over.
  ///
  /// What came only in part is dropped.
  func next() -> JSONValue? {
    let blank = Array("\n\n".utf8)
    while true {
      while let range = text.firstRange(of: blank) {
        let message = String(decoding: text[..<range.lowerBound], as: UTF8.self)
        text.removeFirst(range.upperBound)
        let data = message.split(separator: "\n").first { $0.hasPrefix("data: ") }
        if let data { return try? JSONValue(json: Array(data.dropFirst(6).utf8)) }
      }
      guard takeChunk() || fill() else { return nil }
    }
  }

  /// Takes what is whole of the transfer coding.
  private func takeChunk() -> Bool {
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")),
      let size = Int(
        String(decoding: received[..<end], as: UTF8.self).filter(\.isHexDigit), radix: 16),
      size > 0, received.count >= end + 1 + size + 2
    else { return false }
    text += received[(end + 1)..<(end + 1 + size)]
    received.removeFirst(end + 1 + size + 2)
    return true
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { return false }
    received += piece[..<count]
    return true
  }
}
