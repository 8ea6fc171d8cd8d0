/// Writes JSON as bytes: no white space, members in the order of the calls.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Writes a member's name; its value must follow.
  package mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  package mutating func integer(_ number: Int64) {
    raw(String(number).utf8)
  }

  package mutating func bool(_ value: Bool) {
    raw((value ? "true" : "false").utf8)
  }

  package mutating func null() {
    raw("null".utf8)
  }

  /// Writes a value that is JSON already.
  package mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes += json
    needsComma = true
  }

  /// The object that was written, with more members at its end.
  package func extended(_ members: (inout JSONWriter) -> Void) -> JSONWriter {
    precondition(bytes.last == UInt8(ascii: "}"), "only an object has members")
    var longer = self
    longer.bytes.removeLast()
    longer.needsComma = longer.bytes.last != UInt8(ascii: "{")
    members(&longer)
    longer.bytes.append(UInt8(ascii: "}"))
    longer.needsComma = true
    return longer
  }

  private mutating func enclose(
    _ opening: UInt8, _ closing: UInt8, _ content: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(opening)
    needsComma = false
    content(&self)
    bytes.append(closing)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: JSONWriter.needsEscape) {
        for byte in utf8 { escape(byte) }
      } else {
        bytes += utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x0A: bytes += #"\n"#.utf8
    case 0x0D: bytes += #"\r"#.utf8
    case 0x09: bytes += #"\t"#.utf8
    case 0..<0x20: bytes += #"\u00"#.utf8 + JSONWriter.hex(byte)
    default: bytes.append(byte)
    }
  }

  private static func hex(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

extension JSONWriter {
  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  package mutating func member(_ name: String, _ number: Int64?) {
    guard let number else { return }
    self.name(name)
    integer(number)
  }

  package mutating func member(_ name: String, _ value: Bool?) {
    guard let value else { return }
    self.name(name)
    bool(value)
  }
}
