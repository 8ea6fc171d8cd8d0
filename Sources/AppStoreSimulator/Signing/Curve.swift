internal import CCrypto

/// The elliptic curves that the App Store's certificates use.
package enum Curve: Hashable, Sendable {
  case p256
  case p384

  /// The bytes of one coordinate, of the order and of a private key.
  var byteCount: Int { self == .p256 ? 32 : 48 }

  var nid: Int32 { self == .p256 ? NID_X9_62_prime256v1 : NID_secp384r1 }

  /// Shape: an object identifier in dotted form.
  var objectIdentifier: String { self == .p256 ? "1.2.840.10045.3.1.7" : "1.3.132.0.34" }
}
