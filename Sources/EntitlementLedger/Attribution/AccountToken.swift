/// The form in which an `appAccountToken` is kept and compared.
package enum AccountToken {
  private static let none = "00000000-0000-0000-0000-000000000000"

  /// A token that a backend may register: a UUID in lower case, and not one of only zeroes.
  package static func registrable(_ token: String) -> String? {
    guard let token = normalized(token) else { return nil }
    let groups = token.split(separator: "-", omittingEmptySubsequences: false)
    let isHexadecimal = token.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    return groups.map(\.count) == [8, 4, 4, 4, 12] && isHexadecimal ? token : nil
  }

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
