import HTTPListener
import Synchronization

/// An HTTP server of this process.
final class LoopbackServer: RequestHandler {
  typealias Answer = @Sendable (HTTPRequest) -> HTTPResponse?

  struct Unavailable: Error {}

  private let answer: Answer
  private let seen = Mutex<[HTTPRequest]>([])
  /// Replies to requests that the test does not answer.
  private let parked = Mutex<[Reply]>([])

  private init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// The requests so far.
  var requests: [HTTPRequest] { seen.withLock { $0 } }

  func handle(_ request: HTTPRequest, reply: Reply) {
    seen.withLock { $0.append(request) }
    if let response = answer(request) {
      reply.send(response)
    } else {
      parked.withLock { $0.append(reply) }
    }
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 418) }

  /// Serves while `body` runs; what is not answered stays open until its end.
  static func serve<Result>(
    tls: TLSIdentity? = nil, _ answer: @escaping Answer,
    _ body: (LoopbackServer, _ url: String) async throws -> Result
  ) async throws -> Result {
    let handler = LoopbackServer(answer)
    guard let address = BindAddress(host: "127.0.0.1", port: 0),
      let server = HTTPServer(
        address, tls: tls, loops: 1, limits: HTTPLimits(), handler: handler)
    else { throw Unavailable() }
    defer {
      for reply in handler.parked.withLock({ $0 }) { reply.send(HTTPResponse(status: 503)) }
      server.stop()
    }
    return try await body(
      handler, "\(tls == nil ? "http" : "https")://127.0.0.1:\(server.port)")
  }
}
