/// The country of an Apple Account.
package struct Storefront: Hashable, Sendable {
  /// Shape: an ISO 3166-1 alpha-3 code.
  package let code: String
  /// Apple's own number for it.
  package let id: String

  package static let usa = Storefront(code: "USA", id: "143441")

  private static let ids = [
    "USA": "143441", "GBR": "143444", "DEU": "143443", "FRA": "143442", "JPN": "143462",
    "CAN": "143455", "AUS": "143460", "BRA": "143503", "IND": "143467", "CHE": "143459",
  ]

  /// The storefronts that are known here, absent for any other code.
  package init?(code: String) {
    guard let id = Self.ids[code] else { return nil }
    self.init(code: code, id: id)
  }

  private init(code: String, id: String) {
    self.code = code
    self.id = id
  }

  package static let codes = ids.keys.sorted()
}
