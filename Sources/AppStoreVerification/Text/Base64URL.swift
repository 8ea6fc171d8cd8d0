/// base64url without padding, in its one canonical form.
///
/// Source: RFC 4648, section 5; RFC 7515, section 2.
package enum Base64URL {
  /// The bytes of `text`; `nil` for any other letter, padding, an impossible length, or bits that
  /// no byte uses and that are not zero.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    guard let source = text.baseAddress, text.count > 0 else { return [] }
    let size = text.count / 4 * 3 + (text.count % 4) * 3 / 4
    var isGood = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      isGood = decode(source, count: text.count, into: target)
      count = isGood ? size : 0
    }
    return isGood ? bytes : nil
  }

  private static func decode(
    _ source: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let values = Base64Alphabet.url
    var bad: UInt32 = 0
    var read = source
    var write = target
    for _ in 0..<(count / 4) {
      let word = values.word(read[0], read[1], read[2], read[3])
      bad |= word
      write[0] = UInt8(truncatingIfNeeded: word >> 16)
      write[1] = UInt8(truncatingIfNeeded: word >> 8)
      write[2] = UInt8(truncatingIfNeeded: word)
      read += 4
      write += 3
    }
    switch count % 4 {
    case 2:
      let word = values.word(read[0], read[1], zero, zero)
      bad |= word | (word & 0xFFFF == 0 ? 0 : Base64Alphabet.badBit)
      write[0] = UInt8(truncatingIfNeeded: word >> 16)
    case 3:
      let word = values.word(read[0], read[1], read[2], zero)
      bad |= word | (word & 0xFF == 0 ? 0 : Base64Alphabet.badBit)
      write[0] = UInt8(truncatingIfNeeded: word >> 16)
      write[1] = UInt8(truncatingIfNeeded: word >> 8)
    default: break
    }
    return bad & Base64Alphabet.badBit == 0
  }

  private static var zero: UInt8 { UInt8(ascii: "A") }

  /// Appends the canonical text of `bytes`.
  package static func encode(_ bytes: [UInt8], onto text: inout [UInt8]) {
    let letters = Base64Alphabet.url.letters
    var index = 0
    while index + 2 < bytes.count {
      let word =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      for shift in [18, 12, 6, 0] { text.append(letters[Int(word >> shift & 63)]) }
      index += 3
    }
    let rest = bytes.count - index
    guard rest > 0 else { return }
    let word = UInt32(bytes[index]) << 16 | (rest == 2 ? UInt32(bytes[index + 1]) << 8 : 0)
    for shift in rest == 2 ? [18, 12, 6] : [18, 12] {
      text.append(letters[Int(word >> shift & 63)])
    }
  }
}
