import CCrypto
package import EntitlementLedger

extension Fingerprint {
  /// The same SHA-256 by the system's library, which uses what the processor has for it.
  package init(hashing bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(bytes, bytes.count, &digest)
    self.init(digest: digest)
  }
}
