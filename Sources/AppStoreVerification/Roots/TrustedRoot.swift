public import AppStoreModel
import CCrypto

/// A certificate that a chain may end in, and the realm of what it vouches for.
///
/// Only ``apple`` has the realm `apple`; every other root has a test realm of its own.
public struct TrustedRoot: Hashable, Sendable {
  /// The certificate in DER form.
  public let certificate: [UInt8]
  public let realm: Realm
  /// The SHA-256 of `certificate`, 64 lower-case hexadecimal digits.
  public let fingerprint: String

  /// Takes a configured root.
  ///
  /// - Throws: ``VerificationConfigurationError/unusableRoot`` unless it is one self-signed
  ///   certificate and nothing else.
  public init(certificate: [UInt8]) throws(VerificationConfigurationError) {
    guard let parsed = Certificate(der: certificate), parsed.isSelfIssued else {
      throw .unusableRoot
    }
    let fingerprint = SHA256Digest.hexadecimal(of: certificate)
    let isApple = fingerprint == TrustedRoot.appleFingerprint
    self.init(
      certificate: certificate, realm: isApple ? .apple : .test(fingerprint: fingerprint))
  }

  /// - Precondition: `certificate` is one; the realm is what the caller has proved it to be.
  init(certificate: [UInt8], realm: Realm) {
    self.certificate = certificate
    self.realm = realm
    fingerprint = SHA256Digest.hexadecimal(of: certificate)
  }
}
