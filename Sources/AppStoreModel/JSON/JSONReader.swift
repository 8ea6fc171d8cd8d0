/// Reads JSON from bytes, one value after the other, without building a tree.
///
/// Source: RFC 8259.
package struct JSONReader {
  /// How many objects and arrays may stand inside each other.
  package static let greatestDepth = 32

  let bytes: UnsafeBufferPointer<UInt8>
  package internal(set) var position = 0
  private var depth = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The byte that the next value begins with; `nil` at the end of the text.
  @inline(__always)
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  package mutating func beginObject() throws(MalformedPayload) {
    try open(UInt8(ascii: "{"), expected: "an object")
  }

  /// The next member's name as a range of bytes without its quotes, or `nil` after the last one.
  package mutating func nextMember(
    first: inout Bool
  ) throws(MalformedPayload) -> JSONStringRange? {
    guard let byte = peek() else { throw failure(.notJSON(expected: "a member or }")) }
    if byte == UInt8(ascii: "}") {
      position += 1
      depth -= 1
      return nil
    }
    if !first { try expect(UInt8(ascii: ","), "a comma or }") }
    first = false
    guard peek() == UInt8(ascii: "\"") else { throw failure(.notJSON(expected: "a member name")) }
    let name = try stringRange()
    guard peek() != nil else { throw failure(.notJSON(expected: "a colon")) }
    try expect(UInt8(ascii: ":"), "a colon")
    return name
  }

  package mutating func beginArray() throws(MalformedPayload) {
    try open(UInt8(ascii: "["), expected: "an array")
  }

  /// Whether another element follows; after the last one the array is closed.
  package mutating func nextElement(first: inout Bool) throws(MalformedPayload) -> Bool {
    guard let byte = peek() else { throw failure(.notJSON(expected: "an element or ]")) }
    if byte == UInt8(ascii: "]") {
      position += 1
      depth -= 1
      return false
    }
    if !first {
      try expect(UInt8(ascii: ","), "a comma or ]")
      guard peek() != UInt8(ascii: "]") else { throw failure(.notJSON(expected: "an element")) }
    }
    first = false
    return true
  }

  /// Takes a `null`, if one comes next.
  package mutating func null() throws(MalformedPayload) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  package mutating func bool() throws(MalformedPayload) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw wrongType("true or false")
    }
  }

  /// Checks that nothing but white space is left.
  package mutating func end() throws(MalformedPayload) {
    if peek() != nil { throw failure(.notJSON(expected: "the end")) }
  }

  private mutating func open(_ bracket: UInt8, expected: String) throws(MalformedPayload) {
    guard peek() == bracket else { throw wrongType(expected) }
    guard depth < JSONReader.greatestDepth else { throw failure(.tooDeep) }
    position += 1
    depth += 1
  }

  mutating func expect(_ byte: UInt8, _ expected: String) throws(MalformedPayload) {
    guard peek() == byte else { throw failure(.notJSON(expected: expected)) }
    position += 1
  }

  mutating func literal(_ text: StaticString) throws(MalformedPayload) {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { throw failure(.notJSON(expected: "\(text)")) }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] {
      throw failure(.notJSON(expected: "\(text)"))
    }
    position += count
  }

  func failure(_ reason: MalformedPayload.Reason) -> MalformedPayload {
    MalformedPayload(reason, offset: position)
  }

  /// The failure for a value of another kind than `expected`.
  mutating func wrongType(_ expected: String) -> MalformedPayload {
    guard let first = peek() else { return failure(.notJSON(expected: expected)) }
    let found: String
    switch first {
    case UInt8(ascii: "{"): found = "an object"
    case UInt8(ascii: "["): found = "an array"
    case UInt8(ascii: "\""): found = "text"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): found = "true or false"
    case UInt8(ascii: "n"): found = "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): found = "a number"
    default: return failure(.notJSON(expected: "a value"))
    }
    return failure(.wrongType(expected: expected, found: found))
  }
}
