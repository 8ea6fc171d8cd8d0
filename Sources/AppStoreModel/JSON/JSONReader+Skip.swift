extension JSONReader {
  /// Passes over the next value, whatever it is, and gives its bytes.
  package mutating func skipValue() throws(MalformedPayload) -> Range<Int> {
    guard let first = peek() else { throw failure(.notJSON(expected: "a value")) }
    let start = position
    switch first {
    case UInt8(ascii: "{"): try skipObject()
    case UInt8(ascii: "["): try skipArray()
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try numberRange()
    default: throw failure(.notJSON(expected: "a value"))
    }
    return start..<position
  }

  private mutating func skipObject() throws(MalformedPayload) {
    try beginObject()
    var first = true
    while let name = try nextMember(first: &first) {
      _ = try text(of: name)
      _ = try skipValue()
    }
  }

  private mutating func skipArray() throws(MalformedPayload) {
    try beginArray()
    var first = true
    while try nextElement(first: &first) { _ = try skipValue() }
  }
}
