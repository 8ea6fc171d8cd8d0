import HTTPListener

/// Turns HTTP requests into calls of the simulated server.
struct SimulatorHandler: RequestHandler {
  private let state: SimulatorState

  init(_ state: SimulatorState) {
    self.state = state
  }

  func handle(_ request: HTTPRequest, reply: Reply) {
    let call = APIRequest(
      request.method, request.target.segments, query: request.target.query,
      authorization: request.headers["authorization"], body: request.body)
    let answer = state.withServer { server, now in server.answer(call, at: now) }
    switch answer.conduct {
    case .whole: reply.send(HTTPResponse(answer))
    case .hang: state.hold(reply)
    case .close: reply.close()
    }
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse {
    switch reason {
    case .malformed: HTTPResponse(status: 400)
    case .bodyTooLarge: HTTPResponse(status: 413)
    case .overloaded: HTTPResponse(status: 503)
    }
  }
}

extension HTTPResponse {
  fileprivate init(_ answer: APIAnswer) {
    var response = HTTPResponse(status: answer.status, body: answer.body)
    for header in answer.headers { response = response.with(header.name, header.value) }
    self = response
  }
}
