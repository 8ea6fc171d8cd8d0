import Foundation
import Glibc
import Synchronization

/// A server that reads one request and answers with one status.
final class OneShotReceiver: Sendable {
  struct Unavailable: Error {}

  let url: String
  private let listener: Int32
  private let received = Mutex("")
  private let done = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - status: Of the answer.
  ///   - isEndless: Whether the answer's body goes on for as long as somebody reads it.
  /// - Throws: ``Unavailable`` when nothing can be bound.
  init(answering status: Int, isEndless: Bool = false) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw Unavailable() }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/hook"
    Thread.detachNewThread { [self] in serve(status, isEndless) }
  }

  /// The whole request, once it is there.
  func request() -> String {
    done.wait()
    return received.withLock { $0 }
  }

  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve(_ status: Int, _ isEndless: Bool) {
    defer {
      Glibc.close(listener)
      done.signal()
    }
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    let text = Self.read(connection)
    received.withLock { $0 = text }
    let length = isEndless ? "" : "Content-Length: 0\r\n"
    let answer = Array("HTTP/1.1 \(status) So\r\n\(length)Connection: close\r\n\r\n".utf8)
    _ = Glibc.write(connection, answer, answer.count)
    let piece = [UInt8](repeating: 0x61, count: isEndless ? 1 << 20 : 0)
    while isEndless,
      send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) > 0
    {}
    Glibc.close(connection)
  }

  private static func read(_ connection: Int32) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !text.hasSuffix("}") {
      let count = Glibc.read(connection, &buffer, buffer.count)
      if count <= 0 { break }
      text += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    return text
  }
}
