import AppStoreModel
import HTTPListener

/// Receives webhooks on this machine, and notes when each customer's revocation arrived.
final class WebhookWatch: Sendable {
  private struct Handler: RequestHandler {
    let moments: RevocationMoments

    func handle(_ request: HTTPRequest, reply: Reply) {
      let now = WallClock.steadySeconds
      reply.send(HTTPResponse(status: 204))
      guard let event = try? JSONValue(json: request.body), event["type"]?.string == "revoked",
        let customer = event["customer"]?.string
      else { return }
      moments.note(customer, at: now)
    }

    func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
  }

  let moments: RevocationMoments
  private let server: HTTPServer

  var url: String { "http://127.0.0.1:\(server.port)/hook" }

  /// Listens on a free port.
  ///
  /// - Throws: ``CommandFailure`` when this machine gives none.
  init() throws(CommandFailure) {
    let moments = RevocationMoments()
    guard let address = BindAddress(host: "127.0.0.1", port: 0),
      let server = HTTPServer(
        address, loops: 1, limits: HTTPLimits(), handler: Handler(moments: moments))
    else { throw CommandFailure("The receiver of webhooks cannot listen.") }
    self.moments = moments
    self.server = server
  }

  func stop() { server.stop() }
}
