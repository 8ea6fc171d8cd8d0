public import AppStoreModel

/// The certificates that vouch for a JWS.
public struct Signer: Hashable, Sendable {
  public let realm: Realm
  /// The SHA-256 of the root's DER form, 64 lower-case hexadecimal digits.
  public let rootFingerprint: String
  /// The signing certificate's, as a deny-list would name it.
  public let serial: CertificateSerial
  /// The latest begin of validity among the three certificates.
  public let validFrom: Timestamp
  /// The earliest end of validity among the three certificates.
  public let validUntil: Timestamp
}
