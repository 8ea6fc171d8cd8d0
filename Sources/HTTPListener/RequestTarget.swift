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
    let halves = raw.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = halves.first, path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = RequestTarget.decoded(segment.utf8) else { return nil }
      segments.append(decoded)
    }
    guard let query = RequestTarget.query(halves.count == 2 ? halves[1] : "") else { return nil }
    self.segments = segments == [""] ? [] : segments
    self.query = query
  }

  /// The first value of a query parameter.
  package subscript(parameter: String) -> String? {
    query.first { $0.name == parameter }?.value
  }

  private static func query(_ text: Substring) -> [(name: String, value: String)]? {
    var query: [(name: String, value: String)] = []
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0].utf8, plusIsSpace: true),
        let value = halves.count == 2 ? decoded(halves[1].utf8, plusIsSpace: true) : ""
      else { return nil }
      query.append((name, value))
    }
    return query
  }

  private static func decoded(_ raw: Substring.UTF8View, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = raw[...]
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
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) && !bytes.contains(0) ? text : nil
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
