/// One request, whole: its body has been read.
package struct HTTPRequest: Sendable {
  /// Names the request in logs and problem documents.
  package let id: String
  package let method: String
  package let target: RequestTarget
  package let headers: HTTPHeaders
  package let body: [UInt8]
  /// The address of the other side, without its port; `local` for a local socket.
  package let peer: String

  package init(
    id: String, method: String, target: RequestTarget, headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = [], peer: String = "local"
  ) {
    self.id = id
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
  }
}

/// Header fields as they came; names are compared without regard to case.
package struct HTTPHeaders: Sendable {
  package private(set) var fields: [(name: String, value: String)] = []

  package init() {}

  package mutating func append(_ name: String, _ value: String) {
    fields.append((name.lowercased(), value))
  }

  /// The first field's value.
  package subscript(name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  package func count(of name: String) -> Int {
    fields.count { $0.name == name }
  }
}
