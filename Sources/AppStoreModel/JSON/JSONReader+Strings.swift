/// Where a string stands, between its quotes, and what making it needs.
package struct JSONStringRange {
  package let bounds: Range<Int>
  /// Whether a backslash stands in it.
  package let hasEscapes: Bool
  let isASCII: Bool
}

extension JSONReader {
  package mutating func string() throws(MalformedPayload) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw wrongType("text") }
    return try text(of: try stringRange())
  }

  /// The string at `range`, with its escapes resolved.
  package func text(of range: JSONStringRange) throws(MalformedPayload) -> String {
    let raw = UnsafeBufferPointer(rebasing: bytes[range.bounds])
    if !range.hasEscapes {
      let text = String(decoding: raw, as: UTF8.self)
      if range.isASCII || text.utf8.elementsEqual(raw) { return text }
      throw MalformedPayload(.invalidUTF8, offset: range.bounds.lowerBound)
    }
    let unescaped = try unescape(range.bounds)
    let text = String(decoding: unescaped, as: UTF8.self)
    guard range.isASCII || text.utf8.elementsEqual(unescaped) else {
      throw MalformedPayload(.invalidUTF8, offset: range.bounds.lowerBound)
    }
    return text
  }

  /// Finds the end of the string whose quote comes next.
  mutating func stringRange() throws(MalformedPayload) -> JSONStringRange {
    position += 1
    let start = position
    var hasEscapes = false
    var isASCII = true
    while true {
      position = plainEnd(from: position)
      guard position < bytes.count else { throw failure(.notJSON(expected: "a closing quote")) }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return JSONStringRange(
          bounds: start..<(position - 1), hasEscapes: hasEscapes, isASCII: isASCII)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position += 2
      case 0x80...:
        isASCII = false
        position += 1
      default: throw failure(.notJSON(expected: "an escape in place of a control character"))
      }
    }
  }

  /// The first byte from `start` that is a quote, a backslash, a control or not ASCII.
  ///
  /// Looks at eight bytes at once: a signed payload is mostly two strings of several kilobytes.
  private func plainEnd(from start: Int) -> Int {
    guard start < bytes.count, let base = bytes.baseAddress else { return start }
    let raw = UnsafeRawPointer(base)
    var index = start
    while index + 8 <= bytes.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if JSONReader.hasSpecialByte(word) { break }
      index += 8
    }
    while index < bytes.count, !JSONReader.isSpecial(bytes[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func hasSpecialByte(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- (ones &* 0x20)) & ~word
    let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control | word
    return found & highs != 0
  }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80
  }

  private func unescape(_ bounds: Range<Int>) throws(MalformedPayload) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bounds.count)
    var index = bounds.lowerBound
    while index < bounds.upperBound {
      guard bytes[index] == UInt8(ascii: "\\") else {
        out.append(bytes[index])
        index += 1
        continue
      }
      index += 1
      if bytes[index] == UInt8(ascii: "u") {
        out += String(try scalar(at: &index, before: bounds.upperBound)).utf8
      } else if let byte = JSONReader.escaped(bytes[index]) {
        out.append(byte)
        index += 1
      } else {
        throw MalformedPayload(.notJSON(expected: "an escape"), offset: index)
      }
    }
    return out
  }

  private static func escaped(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Reads `u` and four hexadecimal digits; two of these for a scalar beyond the first 65,536.
  private func scalar(
    at index: inout Int, before end: Int
  ) throws(MalformedPayload) -> Unicode.Scalar {
    let high = try codeUnit(at: &index, before: end)
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw MalformedPayload(.notJSON(expected: "a surrogate pair"), offset: index) }
    index += 1
    let low = try codeUnit(at: &index, before: end)
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(
        0x10000 + ((UInt32(high) - 0xD800) << 10 | (UInt32(low) - 0xDC00)))
    else { throw MalformedPayload(.notJSON(expected: "a surrogate pair"), offset: index) }
    return scalar
  }

  private func codeUnit(at index: inout Int, before end: Int) throws(MalformedPayload) -> UInt16 {
    index += 1
    guard index + 4 <= end else {
      throw MalformedPayload(.notJSON(expected: "four hexadecimal digits"), offset: index)
    }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = JSONReader.hexValue(bytes[index]) else {
        throw MalformedPayload(.notJSON(expected: "four hexadecimal digits"), offset: index)
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
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
