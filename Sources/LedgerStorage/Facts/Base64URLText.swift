/// Writes bytes as base64url without padding.
///
/// Source: RFC 4648 section 5.
enum Base64URLText {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    digits.withUnsafeBufferPointer { digits in
      bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index + 3 <= bytes.count {
          let word = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
          append(word | UInt32(bytes[index + 2]), 4, digits, &text)
          index += 3
        }
        switch bytes.count - index {
        case 1: append(UInt32(bytes[index]) << 16, 2, digits, &text)
        case 2:
          append(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3, digits, &text)
        default: break
        }
      }
    }
  }

  @inline(__always)
  private static func append(
    _ word: UInt32, _ count: Int, _ digits: UnsafeBufferPointer<UInt8>, _ text: inout [UInt8]
  ) {
    for place in 0..<count {
      text.append(digits[Int(word >> UInt32(18 - 6 * place) & 63)])
    }
  }
}
