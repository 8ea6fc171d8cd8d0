import EntitlementLedger

extension LedgerRules {
  /// The same, with what was stated in the place of what the configuration says of it.
  func with(_ stated: StatedRules) -> LedgerRules {
    var rules = self
    for (key, statement) in stated.standing {
      switch (key.subject, statement.content) {
      case (.product(let productId), .catalog(let entries)):
        rules.catalogs[key.bundleId] =
          rules.catalog(key.bundleId).replacing(productId, by: entries)
      case (.policy, .policy(let entries)): rules.policies[key.bundleId] = Policy(entries)
      default: continue
      }
    }
    rules.stated = stated
    if !stated.source.isEmpty {
      rules.sha256 = Fingerprint(hashing: sha256 + Array(stated.source.utf8)).bytes
    }
    return rules
  }
}
