/// One question, ready to be sent to either environment.
struct APIRequest: Hashable, Sendable {
  let endpoint: Endpoint
  /// Shape: an absolute path and a query, escaped.
  let target: String
  /// JSON, absent where nothing is sent along.
  let body: [UInt8]?

  /// Puts a target together; the segments and the query are escaped here.
  init(
    _ endpoint: Endpoint, _ segments: [String], query: [(String, String)] = [],
    body: [UInt8]? = nil
  ) {
    self.endpoint = endpoint
    let pairs = query.map { Self.escaped($0.0) + "=" + Self.escaped($0.1) }
    target =
      "/" + segments.map(Self.escaped).joined(separator: "/")
      + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    self.body = body
  }

  /// A path with an id in it.
  ///
  /// - Throws: ``RequestFault/emptyIdentifier(_:)``, for an empty segment would ask something else.
  init(
    _ endpoint: Endpoint, _ path: String, id: String, named name: String,
    after suffix: [String] = [], query: [(String, String)] = [], body: [UInt8]? = nil
  ) throws(AppStoreServerError) {
    guard !id.isEmpty else { throw .badRequest(.emptyIdentifier(name)) }
    let segments = path.split(separator: "/").map(String.init) + [id] + suffix
    self.init(endpoint, segments, query: query, body: body)
  }

  /// Source: RFC 3986, section 2.3; the dot too, so that no segment can climb.
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      case UInt8(ascii: ".") where text != "." && text != "..": "."
      default: "%" + hex(byte >> 4) + hex(byte & 15)
      }
    }.joined()
  }

  private static func hex(_ digit: UInt8) -> String {
    String(digit, radix: 16, uppercase: true)
  }
}
