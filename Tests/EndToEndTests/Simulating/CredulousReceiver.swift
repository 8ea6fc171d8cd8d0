import HTTPListener
import Testing

/// A receiver that checks nothing: it takes every post, and refuses all under one path.
struct CredulousReceiver {
  private struct Handler: RequestHandler {
    func handle(_ request: HTTPRequest, reply: Reply) {
      reply.send(HTTPResponse(status: request.target.segments == ["refusing"] ? 404 : 200))
    }

    func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 503) }
  }

  private let server: HTTPServer

  init() throws {
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    server = try #require(
      HTTPServer(address, loops: 1, limits: HTTPLimits(), handler: Handler()))
  }

  var taking: String { "http://127.0.0.1:\(server.port)/taking" }
  var refusing: String { "http://127.0.0.1:\(server.port)/refusing" }

  func stop() { server.stop() }
}
