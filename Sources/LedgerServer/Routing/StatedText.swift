/// What a text that somebody states may be: bounded, and without control characters, since it stands
/// in timelines, lists and logs.
enum StatedText {
  /// For a customer, an entitlement or an idempotency key.
  ///
  /// Unit: bytes.
  static let greatestName = 255
  /// Of a reason or a note.
  ///
  /// Unit: bytes.
  static let greatestNote = 1_000
  /// Of an API key's name.
  ///
  /// Unit: bytes.
  static let greatestKeyName = 100

  static func isName(_ text: String) -> Bool { isPlain(text, upTo: greatestName) }

  /// Names of customers who were erased are nobody's.
  static func isCustomer(_ text: String) -> Bool {
    isName(text) && !text.hasPrefix(ErasureRoutes.markPrefix)
  }

  static func isNote(_ text: String) -> Bool { isPlain(text, upTo: greatestNote) }

  static func isKeyName(_ text: String) -> Bool { isPlain(text, upTo: greatestKeyName) }

  static func isPlain(_ text: String, upTo bytes: Int) -> Bool {
    !text.isEmpty && text.utf8.count <= bytes && !text.unicodeScalars.contains(where: isControl)
  }

  /// Unicode's general category Cc.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }
}
