/// One call of the App Store Server API, whole.
package struct APIRequest: Sendable {
  package var method: String
  /// Shape: decoded one by one; the sandbox's begin with `sandbox`.
  package var segments: [String]
  /// In the order in which they stood; a name may repeat.
  package var query: [(name: String, value: String)]
  /// The `Authorization` field.
  package var authorization: String?
  package var body: [UInt8]

  package init(
    _ method: String, _ segments: [String], query: [(name: String, value: String)] = [],
    authorization: String? = nil, body: [UInt8] = []
  ) {
    self.method = method
    self.segments = segments
    self.query = query
    self.authorization = authorization
    self.body = body
  }

  func values(_ name: String) -> [String] {
    query.filter { $0.name == name }.map(\.value)
  }

  subscript(parameter: String) -> String? { values(parameter).first }
}
