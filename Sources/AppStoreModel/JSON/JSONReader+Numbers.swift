extension JSONReader {
  /// A whole number; `1.0` and `1e3` are whole, `1.5` is not.
  package mutating func int64() throws(MalformedPayload) -> Int64 {
    let start = position
    switch try number() {
    case .whole(let value): return value
    case .fractional(let value):
      guard value.rounded(.down) == value, let whole = Int64(exactly: value) else {
        position = start
        throw failure(.outOfRange(expected: "the whole numbers of 64 bits"))
      }
      return whole
    }
  }

  package mutating func int32() throws(MalformedPayload) -> Int32 {
    let start = position
    guard let value = Int32(exactly: try int64()) else {
      position = start
      throw failure(.outOfRange(expected: "the whole numbers of 32 bits"))
    }
    return value
  }

  /// A moment in milliseconds; Xcode sends fractions, which are rounded down.
  ///
  /// Range: ``Timestamp/nameable``.
  package mutating func timestamp() throws(MalformedPayload) -> Timestamp {
    let start = position
    let number = try number()
    let milliseconds: Int64? =
      switch number {
      case .whole(let value): value
      case .fractional(let value): Int64(exactly: value.rounded(.down))
      }
    let moment = milliseconds.map { Timestamp(millisecondsSince1970: $0) }
    guard let moment, Timestamp.nameable.contains(moment) else {
      position = start
      throw failure(.outOfRange(expected: "the years 0 to 9999"))
    }
    return moment
  }

  private enum Number {
    case whole(Int64)
    case fractional(Double)
  }

  private mutating func number() throws(MalformedPayload) -> Number {
    guard let first = peek(), first == UInt8(ascii: "-") || JSONReader.isDigit(first) else {
      throw wrongType("a number")
    }
    let range = try numberRange()
    if let whole = wholeNumber(range) { return .whole(whole) }
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw MalformedPayload(
        .outOfRange(expected: "the finite numbers"), offset: range.lowerBound)
    }
    return .fractional(value)
  }

  /// The bytes of the number that comes next, which must have the form of RFC 8259, section 6.
  mutating func numberRange() throws(MalformedPayload) -> Range<Int> {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if byte == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return start..<position
  }

  private var byte: UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func digits() throws(MalformedPayload) {
    guard let first = byte, JSONReader.isDigit(first) else {
      throw failure(.notJSON(expected: "a digit"))
    }
    while let next = byte, JSONReader.isDigit(next) { position += 1 }
  }

  /// The value of a number without fraction and exponent that fits into 64 bits.
  private func wholeNumber(_ range: Range<Int>) -> Int64? {
    let negative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (range.lowerBound + (negative ? 1 : 0))..<range.upperBound {
      guard JSONReader.isDigit(bytes[index]) else { return nil }
      let digit = Int64(bytes[index] - UInt8(ascii: "0"))
      let (shifted, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (next, overflow) =
        negative
        ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      if tooLarge || overflow { return nil }
      value = next
    }
    return value
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
