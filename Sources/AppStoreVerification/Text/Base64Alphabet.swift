/// The 64 letters of an encoding, and the value of every byte in it.
///
/// `@unchecked Sendable`: the tables are written once, here, and never freed.
struct Base64Alphabet: @unchecked Sendable {
  /// Set in the value of a byte that is no letter; survives every shift that ``word(_:_:_:_:)`` does.
  static var badBit: UInt32 { 1 << 31 }

  static let url = Base64Alphabet(last: "-_")
  static let standard = Base64Alphabet(last: "+/")

  let letters: [UInt8]
  private let values: UnsafePointer<UInt32>

  private init(last: String) {
    letters = Array(
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * 256)
    tables.initialize(repeating: Self.badBit, count: 4 * 256)
    for (value, letter) in letters.enumerated() {
      for place in 0..<4 { tables[place * 256 + Int(letter)] = UInt32(value) << (18 - 6 * place) }
    }
    values = UnsafePointer(tables)
  }

  /// The 24 bits of four letters, with ``badBit`` when one of them is none.
  @inline(__always)
  func word(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt32 {
    values[Int(first)] | values[256 + Int(second)] | values[512 + Int(third)]
      | values[768 + Int(fourth)]
  }
}
