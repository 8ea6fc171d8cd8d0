import AppStoreModel
import Glibc
import HTTPListener
import LedgerStorage
import Synchronization
import Testing

/// A body that never runs out of something to send, until it is told to end.
private final class Endless: StreamedBody {
  private struct State {
    var ending: StreamEnding?
    var farewell: [UInt8] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  let finished = Semaphore()

  var ending: StreamEnding? { state.withLock { $0.ending } }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func begin(_ waker: StreamWaker) {}

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamReading {
    state.withLock { state in
      guard state.ending != nil else {
        buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
        return .bytes(buffer.count)
      }
      if state.farewell.isEmpty { return .end }
      buffer.copyBytes(from: state.farewell)
      defer { state.farewell = [] }
      return .bytes(state.farewell.count)
    }
  }

  func finish(_ reason: StreamEnding) {
    state.withLock { state in
      state.ending = reason
      state.farewell = Array("goodbye".utf8)
    }
    finished.signal()
  }

  func ended() { state.withLock { $0.hasEnded = true } }
}

private struct EndlessHandler: RequestHandler {
  let body: Endless

  func handle(_ request: HTTPRequest, reply: Reply) {
    reply.send(HTTPResponse(type: "text/plain", stream: body))
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
}

/// What a listener does with a body that comes over time.
struct StreamedBodyTests {
  private static func serving(
    writeTime milliseconds: Int64, _ body: Endless
  ) throws -> (server: HTTPServer, client: RawClient) {
    var limits = HTTPLimits()
    limits.writeTime = .init(milliseconds: milliseconds)
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let server = try #require(
      HTTPServer(address, limits: limits, handler: EndlessHandler(body: body)))
    let client = try RawClient(port: server.port, window: 4_096)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    return (server, client)
  }

  private static func rest(of client: RawClient) -> [UInt8] {
    var tail: [UInt8] = []
    while let piece = client.piece() { tail = (tail + piece).suffix(64) }
    return tail
  }

  @Test func `a client that takes nothing for too long is told goodbye, and let go`() throws {
    let body = Endless()
    let (server, client) = try Self.serving(writeTime: 300, body)
    body.finished.wait()
    #expect(body.ending == .stalled)
    // The rest is in the system's hands; a client that stays away is disconnected.
    while !body.hasEnded { usleep(1_000) }
    #expect(!Self.rest(of: client).isEmpty)
    server.stop()
  }

  @Test func `a server that stops ends a body that would never end, with its last words`() throws {
    let body = Endless()
    let (server, client) = try Self.serving(writeTime: 3_600_000, body)
    #expect(try client.header().contains("chunked"))
    let stopping = WorkerThread { server.stop() }
    body.finished.wait()
    #expect(body.ending == .stopping)
    let tail = String(decoding: Self.rest(of: client), as: UTF8.self)
    #expect(tail.hasSuffix("goodbye\r\n0\r\n\r\n"))
    stopping.join()
    #expect(body.hasEnded)
  }
}
