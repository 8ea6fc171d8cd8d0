import AppStoreModel

/// What the simulated App Store answers to a call.
package struct APIAnswer: Sendable {
  /// How far the answer comes.
  package enum Conduct: Sendable {
    case whole
    /// Nothing comes, and the connection stays open.
    case hang
    /// Nothing comes, and the connection is closed.
    case close
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var conduct = Conduct.whole

  package init(status: Int, type: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.headers = type.map { [("Content-Type", $0)] } ?? []
    self.body = body
  }

  /// An object.
  static func json(
    status: Int = 200, _ members: (inout JSONWriter) -> Void
  ) -> APIAnswer {
    var writer = JSONWriter()
    writer.object(members)
    return APIAnswer(status: status, type: "application/json", body: writer.bytes)
  }

  static func text(_ text: String, status: Int) -> APIAnswer {
    APIAnswer(status: status, type: "text/plain;charset=UTF-8", body: Array(text.utf8))
  }

  static func failure(_ error: APIError) -> APIAnswer {
    json(status: error.status) { writer in
      writer.member("errorCode", error.code)
      writer.member("errorMessage", error.message)
    }
  }
}
