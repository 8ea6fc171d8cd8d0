/// What a request is answered with.
struct HTTPResponse: Sendable {
  let status: Int
  private(set) var headers: [(name: String, value: String)]
  let body: [UInt8]

  init(status: Int, type: String? = nil, body: [UInt8] = []) {
    self.status = status
    headers = type.map { [("Content-Type", $0)] } ?? []
    self.body = body
  }

  static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, type: "application/json", body: body)
  }

  static func text(_ body: String, type: String = "text/plain; charset=utf-8") -> HTTPResponse {
    HTTPResponse(status: 200, type: type, body: Array(body.utf8))
  }

  func with(_ name: String, _ value: String) -> HTTPResponse {
    var response = self
    response.headers.append((name, value))
    return response
  }
}
