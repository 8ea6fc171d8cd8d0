import AppStoreModel
package import EntitlementLedger

/// What answers depend on besides facts: catalogs and policies, by app.
package struct LedgerRules: Sendable {
  package static let standard = LedgerRules(catalogs: [:], policies: [:], source: [])

  var catalogs: [String: Catalog]
  var policies: [String: Policy]
  /// What of them was stated while the server ran.
  package internal(set) var stated = StatedRules()
  /// Tells whether the rules are those that stored answers were made by: SHA-256, 32 bytes.
  var sha256: [UInt8]

  /// Takes rules by bundle id.
  ///
  /// - Parameters:
  ///   - catalogs: An app without one has products that grant entitlements of their own id.
  ///   - policies: An app without one has the standard policy.
  ///   - source: Any text that differs when the rules differ.
  package init(catalogs: [String: Catalog], policies: [String: Policy], source: [UInt8]) {
    self.catalogs = catalogs
    self.policies = policies
    sha256 = Fingerprint(hashing: source).bytes
  }

  package func catalog(_ bundleId: String) -> Catalog {
    catalogs[bundleId] ?? .empty
  }

  package func policy(_ bundleId: String) -> Policy {
    policies[bundleId] ?? .standard
  }

  /// Whether a chain can speak of an entitlement, at whatever moment it is asked.
  func concerns(_ chain: Chain, _ entitlement: String) -> Bool {
    let catalog = catalog(chain.key.scope.bundleId)
    let products =
      chain.transactions.values.map(\.newest.productId)
      + chain.statuses.values.compactMap { $0.renewal?.productId }
    return products.contains { catalog.grants(entitlement, by: $0) }
  }

  func answer(_ chain: Chain, at now: Timestamp) -> ChainAnswer {
    let bundleId = chain.key.scope.bundleId
    return chain.answer(at: now, catalog: catalog(bundleId), policy: policy(bundleId))
  }
}
