/// The form in which an `appAccountToken` is kept and compared.
enum AccountToken {
  private static let none = "00000000-0000-0000-0000-000000000000"

  /// Lower case; `nil` for an empty token and for a UUID of only zeroes.
  static func normalized(_ token: String?) -> String? {
    guard let token = token?.lowercased(), !token.isEmpty, token != none else { return nil }
    return token
  }

  /// Whether a text has the form of a UUID, in either case.
  static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { place, byte in
      switch place {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: isHexadecimal(byte)
      }
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
