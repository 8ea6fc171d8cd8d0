/// The form in which an `appAccountToken` is kept and compared.
enum AccountToken {
  private static let none = "00000000-0000-0000-0000-000000000000"

  /// Lower case; `nil` for an empty token and for a UUID of only zeroes.
  static func normalized(_ token: String?) -> String? {
    guard let token = token?.lowercased(), !token.isEmpty, token != none else { return nil }
    return token
  }
}
