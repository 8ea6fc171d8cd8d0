/// Writes the pieces of a certificate.
///
/// Source: Rec. ITU-T X.690, section 10.
enum DER {
  static let null: [UInt8] = [0x05, 0x00]
  static let yes: [UInt8] = [0x01, 0x01, 0xFF]

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, Array(parts.joined())) }

  static func set(_ part: [UInt8]) -> [UInt8] { tagged(0x31, part) }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }

  /// A string of whole bytes, unless its last `unused` bits do not count.
  static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] {
    tagged(0x03, [unused] + bytes)
  }

  static func text(_ text: String) -> [UInt8] { tagged(0x0C, Array(text.utf8)) }

  static func printable(_ text: String) -> [UInt8] { tagged(0x13, Array(text.utf8)) }

  /// A number that is not negative, big-endian.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    return tagged(0x02, (needsZero ? [0] : []) + digits)
  }

  static func objectIdentifier(_ dotted: String) -> [UInt8] {
    let arcs = dotted.split(separator: ".").compactMap { UInt128($0) }
    precondition(arcs.count >= 2, "an object identifier has at least two arcs")
    let body = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
    return tagged(0x06, body.flatMap(base128))
  }

  static func tagged(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
    if body.count < 0x80 { return [tag, UInt8(body.count)] + body }
    var rest = body.count
    var length: [UInt8] = []
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + body
  }

  private static func base128(_ arc: UInt128) -> [UInt8] {
    var rest = arc
    var digits = [UInt8(truncatingIfNeeded: rest & 0x7F)]
    while rest > 0x7F {
      rest >>= 7
      digits.insert(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80, at: 0)
    }
    return digits
  }
}
