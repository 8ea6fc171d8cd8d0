package import AppStoreModel

/// A key by which a program proves that it may ask: its name and reach, never its secret.
package struct APIKey: Hashable, Sendable {
  /// Unique among all keys, revoked ones included.
  package let name: String
  package let scope: KeyScope
  /// The apps that it reaches.
  package let bundleIds: Set<String>
  /// The only environment that it sees or spends.
  package let environment: AppStoreEnvironment
  package let madeAt: Timestamp
  package let revokedAt: Timestamp?
  /// The SHA-256 of the secret: 32 bytes.
  package let secretDigest: [UInt8]

  package init(
    name: String, scope: KeyScope, bundleIds: Set<String>, environment: AppStoreEnvironment,
    madeAt: Timestamp, revokedAt: Timestamp? = nil, secretDigest: [UInt8]
  ) {
    self.name = name
    self.scope = scope
    self.bundleIds = bundleIds
    self.environment = environment
    self.madeAt = madeAt
    self.revokedAt = revokedAt
    self.secretDigest = secretDigest
  }
}
