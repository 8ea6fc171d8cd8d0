/// Text as it stands in a query.
///
/// Source: RFC 3986, section 2.
enum PercentEncoding {
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  static func text(_ text: String) -> String {
    text.utf8.map { byte in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
    }.joined()
  }
}
