package import AppStoreModel

/// An API key as it is kept: never its secret.
package struct StoredKey: Hashable, Sendable {
  package let name: String
  /// SHA-256, 32 bytes.
  package let secretSHA256: [UInt8]
  /// Shape: `device`, `read`, `spend` or `admin`.
  package let scope: String
  package let bundleIds: Set<String>
  package let environment: AppStoreEnvironment
  package let madeAt: Timestamp
  package let revokedAt: Timestamp?

  package init(
    name: String, secretSHA256: [UInt8], scope: String, bundleIds: Set<String>,
    environment: AppStoreEnvironment, madeAt: Timestamp, revokedAt: Timestamp? = nil
  ) {
    self.name = name
    self.secretSHA256 = secretSHA256
    self.scope = scope
    self.bundleIds = bundleIds
    self.environment = environment
    self.madeAt = madeAt
    self.revokedAt = revokedAt
  }
}
