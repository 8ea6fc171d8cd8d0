import HTTPListener
import Testing

/// What an app may find where its server should be: each under a path of its own.
final class StrangeReceiver: Sendable {
  private struct Handler: RequestHandler {
    func handle(_ request: HTTPRequest, reply: Reply) {
      reply.send(answer(request.target.segments.first ?? "", request.method))
    }

    func refusal(_ reason: Refusal, id: String) -> HTTPResponse { page(503) }

    private func answer(_ name: String, _ method: String) -> HTTPResponse {
      switch name {
      case "portal": page(200)
      case "proxy": page(502)
      case "files": page(404)
      case "moved": moved("/portal")
      case "signIn": moved("/files", 302)
      case "circle": moved("/circle")
      default: page(500)
      }
    }

    private func page(_ status: Int) -> HTTPResponse {
      HTTPResponse(
        status: status, type: "text/html", body: Array("<html><title>Sign in</title></html>".utf8))
    }

    private func moved(_ path: String, _ status: Int = 307) -> HTTPResponse {
      page(status).with("Location", path)
    }
  }

  private let server: HTTPServer

  init() throws {
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    server = try #require(
      HTTPServer(address, loops: 1, limits: HTTPLimits(), handler: Handler()))
  }

  deinit { server.stop() }

  func url(_ name: String) -> String { "http://127.0.0.1:\(server.port)/\(name)" }
}
