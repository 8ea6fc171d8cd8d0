/// Writes bytes in the two alphabets that a JWS uses.
///
/// Source: RFC 4648, sections 4 and 5.
package enum Base64 {
  /// With `+`, `/` and padding: the form of `x5c`.
  package static func standard(_ bytes: [UInt8]) -> String {
    let padding = String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    return encode(bytes, standardAlphabet) + padding
  }

  /// With `-`, `_` and no padding: the form of a segment.
  package static func url(_ bytes: [UInt8]) -> String { encode(bytes, urlAlphabet) }

  private static let letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standardAlphabet = Array((letters + "+/").utf8)
  private static let urlAlphabet = Array((letters + "-_").utf8)

  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> String {
    let length = (bytes.count * 4 + 2) / 3
    return String(unsafeUninitializedCapacity: length) { buffer in
      var written = 0
      var held: UInt32 = 0
      var bits = 0
      for byte in bytes {
        held = held << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
          bits -= 6
          buffer[written] = alphabet[Int(held >> UInt32(bits) & 63)]
          written += 1
        }
      }
      if bits > 0 {
        buffer[written] = alphabet[Int(held << UInt32(6 - bits) & 63)]
        written += 1
      }
      return written
    }
  }
}
