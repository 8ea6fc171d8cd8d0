import AppStoreModel
import Glibc
import HTTPListener
import LedgerStorage
import Synchronization
import Testing

@testable import LedgerServer

/// What receivers of every kind do to a delivery, over real connections.
struct CurlWireTests {
  /// Sends one request and waits for what comes of it.
  private static func answer(
    _ url: String, isTrusted: Bool = true, timeout: TimeSpan = .seconds(30),
    body: [UInt8] = Array("{}".utf8)
  ) throws -> DispatchAnswer {
    let wire = try #require(
      CurlWire(WireSettings(connectTimeout: .seconds(30), timeout: timeout)))
    defer { wire.close() }
    return try wire.answer(to: url, isTrusted: isTrusted, body: body)
  }

  private static func answer(
    to behaviour: TestReceiver.Answer, timeout: TimeSpan = .seconds(30)
  ) throws -> (answer: DispatchAnswer, requests: [HTTPRequest]) {
    let receiver = try TestReceiver { _, _ in behaviour }
    defer { receiver.stop() }
    return (try answer(receiver.url, timeout: timeout), receiver.requests)
  }

  @Test(arguments: [(200, true), (204, true), (299, true), (404, false), (500, false)])
  func `a status tells success from failure`(status: Int, isSuccess: Bool) throws {
    let (answer, requests) = try Self.answer(to: .status(status))
    #expect(answer.status == status && answer.failure == nil)
    #expect(answer.isSuccess == isSuccess)
    #expect(requests.count == 1)
    #expect(requests.first?.body == Array("{}".utf8))
    #expect(requests.first?.headers["x-test"] == "1")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is not followed`(status: Int) throws {
    let other = try TestReceiver()
    defer { other.stop() }
    let (answer, _) = try Self.answer(to: .status(status, [("Location", other.url)]))
    #expect(answer.status == status && !answer.isSuccess)
    #expect(other.requests.isEmpty)
  }

  @Test func `a receiver that never answers ends with the time`() throws {
    let (answer, _) = try Self.answer(to: .silence, timeout: TimeSpan(milliseconds: 300))
    #expect(answer.failure == .timedOut)
    #expect(!answer.isSuccess)
  }

  @Test func `a receiver that hangs up without an answer is a failure`() throws {
    let (answer, _) = try Self.answer(to: .hangUp)
    #expect(answer.failure == .broken && answer.status == nil)
  }

  @Test func `an answer that ends halfway is a failure, whatever its status`() throws {
    let half = try RawReceiver("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    let answer = try Self.answer("http://127.0.0.1:\(half.port)/")
    #expect(answer.failure == .broken && answer.status == 200)
    #expect(!answer.isSuccess)
  }

  @Test func `what answers something else than HTTP is a failure`() throws {
    let noise = try RawReceiver("SSH-2.0-x\r\n")
    #expect(try Self.answer("http://127.0.0.1:\(noise.port)/").failure == .broken)
  }

  @Test func `of a long answer 4 KB are read, and its status counts`() throws {
    let (answer, _) = try Self.answer(to: .status(200, body: 8 << 20))
    #expect(answer.isSuccess)
    let (refused, _) = try Self.answer(to: .status(400, body: 8 << 20))
    #expect(refused.status == 400 && refused.failure == nil)
  }

  @Test func `an endless header is a failure`() throws {
    let lines = String(
      repeating: "X-Filler: 0123456789012345678901234567890123456789\r\n", count: 4_000)
    let flood = try RawReceiver("HTTP/1.1 200 OK\r\n" + lines + "\r\n")
    let answer = try Self.answer("http://127.0.0.1:\(flood.port)/")
    #expect(!answer.isSuccess)
  }

  @Test func `nobody there is a failure`() throws {
    let gone = try TestReceiver()
    let url = gone.url
    gone.stop()
    #expect(try Self.answer(url).failure == .noConnection)
  }

  @Test func `Retry-After is read`() throws {
    let (answer, _) = try Self.answer(to: .status(503, [("Retry-After", "120")]))
    #expect(answer.retryAfter == "120")
  }

  // The name is good when it is stated and leads to this machine when it is connected to: what a
  // rebound name does.
  @Test func `a name that leads to this machine is refused at the connect`() throws {
    let answer = try Self.answer("https://localhost:9/", isTrusted: false)
    #expect(answer.failure == .forbiddenAddress && answer.status == nil)
  }

  @Test func `a proxy of the environment is not asked`() throws {
    let proxy = try TestReceiver()
    defer { proxy.stop() }
    let host = proxy.url.dropFirst(7).prefix { $0 != "/" }
    setenv("http_proxy", "http://\(host)", 1)
    defer { unsetenv("http_proxy") }
    let (answer, requests) = try Self.answer(to: .status(204))
    #expect(answer.isSuccess && requests.count == 1)
    #expect(proxy.requests.isEmpty)
  }
}

extension CurlWire {
  /// Sends one request and waits for what comes of it.
  func answer(
    to url: String, isTrusted: Bool = true, body: [UInt8] = Array("{}".utf8)
  ) throws -> DispatchAnswer {
    let target = try TargetURL(url, isTrusted: isTrusted)
    let result = Mutex<DispatchAnswer?>(nil)
    let isDone = Semaphore()
    send(Dispatch(target: target, headers: ["X-Test: 1"], body: body)) { answer in
      result.withLock { $0 = answer }
      isDone.signal()
    }
    isDone.wait()
    return try #require(result.withLock { $0 })
  }
}

/// Answers every connection with the same bytes and closes it.
private final class RawReceiver: Sendable {
  let port: UInt16
  private let listener: Int32

  struct Failure: Error {}

  init(_ answer: String) throws {
    guard let (listener, port) = LoopbackSocket.listening(backlog: 8) else { throw Failure() }
    self.listener = listener
    self.port = port
    _ = WorkerThread { RawReceiver.serve(listener, Array(answer.utf8)) }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ listener: Int32, _ answer: [UInt8]) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      var piece = [UInt8](repeating: 0, count: 65_536)
      _ = recv(connection, &piece, piece.count, 0)
      _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      shutdown(connection, Int32(SHUT_WR))
      _ = recv(connection, &piece, piece.count, 0)
      close(connection)
    }
    close(listener)
  }
}
