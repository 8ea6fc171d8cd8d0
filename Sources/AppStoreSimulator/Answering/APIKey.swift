/// What App Store Connect gives to whoever calls the API: a key, its id and the issuer's id.
package struct APIKey: Sendable {
  /// Shape: a lower-case UUID.
  package let issuerId: String
  /// Shape: ten capital letters and digits.
  package let keyId: String
  package let key: PrivateKey

  /// The key of a seed: the same seed always gives the same three.
  package init(seed: UInt64) {
    var dice = SeededGenerator(seed: seed ^ 0x4B45_5953)
    issuerId = dice.uuid()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    keyId = String((0..<10).map { _ in letters[Int.random(in: 0..<letters.count, using: &dice)] })
    key = PrivateKey(.p256, seed: seed, purpose: "API key")
  }
}
