/// What a request is answered with.
package struct HTTPResponse: Sendable {
  package let status: Int
  package private(set) var headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// Takes the place of `body` where the answer comes over time.
  package let stream: (any StreamedBody)?

  package init(status: Int, type: String? = nil, body: [UInt8] = []) {
    self.status = status
    headers = type.map { [("Content-Type", $0)] } ?? []
    self.body = body
    stream = nil
  }

  /// An answer that comes over time.
  package init(type: String, stream: any StreamedBody) {
    status = 200
    headers = [("Content-Type", type)]
    body = []
    self.stream = stream
  }

  package static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, type: "application/json", body: body)
  }

  package static func text(_ body: String, type: String = "text/plain; charset=utf-8")
    -> HTTPResponse
  {
    HTTPResponse(status: 200, type: type, body: Array(body.utf8))
  }

  package func with(_ name: String, _ value: String) -> HTTPResponse {
    var response = self
    response.headers.append((name, value))
    return response
  }
}
