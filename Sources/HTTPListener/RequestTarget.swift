/// What a request asks for: path segments and query, percent-decoded one by one, so that a customer
/// id may hold a slash.
///
/// Source: RFC 3986, section 3.
package struct RequestTarget: Sendable {
  package let segments: [String]
  /// In the order in which they stood; a name may repeat.
  package let query: [(name: String, value: String)]

  /// `nil` for a path that does not begin with a slash, holds bad escapes, or is no UTF-8.
  package init?(_ raw: String) {
    let raw = Array(raw.utf8)
    let mark = raw.firstIndex(of: UInt8(ascii: "?")) ?? raw.endIndex
    guard raw.first == UInt8(ascii: "/"), mark > 0 else { return nil }
    var segments: [String] = []
    for segment in raw[1..<mark].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let decoded = RequestTarget.decoded(segment) else { return nil }
      segments.append(decoded)
    }
    guard let query = RequestTarget.query(raw[mark...].dropFirst()) else { return nil }
    self.segments = segments == [""] ? [] : segments
    self.query = query
  }

  /// A target whose parts are known, without escapes.
  package init(segments: [String], query: [(name: String, value: String)] = []) {
    self.segments = segments
    self.query = query
  }

  /// The first value of a query parameter.
  package subscript(parameter: String) -> String? {
    query.first { $0.name == parameter }?.value
  }

  private static func query(_ text: ArraySlice<UInt8>) -> [(name: String, value: String)]? {
    var query: [(name: String, value: String)] = []
    for pair in text.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = decoded(pair[..<equals], plusIsSpace: true),
        let value = decoded(pair[equals...].dropFirst(), plusIsSpace: true)
      else { return nil }
      query.append((name, value))
    }
    return query
  }

  private static func decoded(_ raw: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var rest = raw
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexValue),
          let low = rest.popFirst().flatMap(hexValue)
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
