package import AppStoreModel

/// One record in the form that hashes are made of.
///
/// Shape: a word, then ` name=value` for each present member in a fixed order, between tabs; in a
/// value, backslash, tab and line feed are written `\\`, `\t` and `\n`.
package struct CanonicalLine {
  package private(set) var bytes: [UInt8]

  package init(_ kind: StaticString) {
    bytes = []
    bytes.reserveCapacity(256)
    append(kind)
  }

  package mutating func add(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    begin(name)
    guard value.utf8.contains(where: Self.isEscaped) else {
      bytes.append(contentsOf: value.utf8)
      return
    }
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\t"): append("\\t")
      case UInt8(ascii: "\n"): append("\\n")
      default: bytes.append(byte)
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
  }

  package mutating func add(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    begin(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  package mutating func add(_ name: StaticString, _ value: Timestamp?) {
    add(name, value?.millisecondsSince1970)
  }

  /// Written only when true.
  package mutating func add(_ name: StaticString, _ value: Bool) {
    if value { add(name, 1 as Int64) }
  }

  private mutating func begin(_ name: StaticString) {
    bytes.append(UInt8(ascii: "\t"))
    append(name)
    bytes.append(UInt8(ascii: "="))
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
