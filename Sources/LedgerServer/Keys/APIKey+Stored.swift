import AppStoreModel
package import LedgerStorage

extension APIKey {
  /// Takes back a stored key; `nil` for a scope that this version does not know.
  package init?(_ stored: StoredKey) {
    guard let scope = KeyScope(rawValue: stored.scope) else { return nil }
    self.init(
      name: stored.name, scope: scope, bundleIds: stored.bundleIds,
      environment: stored.environment, madeAt: stored.madeAt, revokedAt: stored.revokedAt,
      secretDigest: stored.secretSHA256)
  }

  package var stored: StoredKey {
    StoredKey(
      name: name, secretSHA256: secretDigest, scope: scope.rawValue, bundleIds: bundleIds,
      environment: environment, madeAt: madeAt, revokedAt: revokedAt)
  }
}
