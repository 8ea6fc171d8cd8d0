/// One request, whole: its body has been read.
struct HTTPRequest: Sendable {
  /// Names the request in logs and problem documents.
  let id: String
  let method: String
  let target: RequestTarget
  let headers: HTTPHeaders
  let body: [UInt8]
  /// The address of the other side, without its port; `local` for a local socket.
  let peer: String
}

/// Header fields as they came; names are compared without regard to case.
struct HTTPHeaders: Sendable {
  private(set) var fields: [(name: String, value: String)] = []

  mutating func append(_ name: String, _ value: String) {
    fields.append((name.lowercased(), value))
  }

  /// The first field's value.
  subscript(name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  func count(of name: String) -> Int {
    fields.count { $0.name == name }
  }
}
