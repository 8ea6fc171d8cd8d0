/// Standard base64 with padding, as certificates stand in a header.
///
/// Source: RFC 4648, section 4; RFC 7515, section 4.1.6.
enum Base64 {
  /// The bytes of `text`; `nil` for anything but the canonical form.
  static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard !letters.isEmpty, letters.count % 4 == 0 else { return nil }
    let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    for start in stride(from: 0, to: letters.count, by: 4) {
      let isLast = start + 4 == letters.count
      guard append(letters[start..<start + 4], padding: isLast ? padding : 0, to: &bytes) else {
        return nil
      }
    }
    return bytes
  }

  private static func append(
    _ group: ArraySlice<UInt8>, padding: Int, to bytes: inout [UInt8]
  ) -> Bool {
    var letters = Array(group)
    for index in 0..<padding { letters[3 - index] = UInt8(ascii: "A") }
    let word = Base64Alphabet.standard.word(letters[0], letters[1], letters[2], letters[3])
    let unused = UInt32(1) << (8 * UInt32(padding)) - 1
    guard word & Base64Alphabet.badBit == 0, word & unused == 0 else { return false }
    for index in 0..<(3 - padding) {
      bytes.append(UInt8(truncatingIfNeeded: word >> (16 - 8 * UInt32(index))))
    }
    return true
  }
}
