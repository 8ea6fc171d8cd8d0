import AppStoreModel
import EntitlementLedger

extension Holdings {
  /// Settles who is signed in and where, and forgets what belongs to somebody or somewhere else.
  ///
  /// What StoreKit lists belongs to whoever is signed in, so it comes before the app's own
  /// transaction, which may still be that of the account before.
  mutating func settleOwner(by reading: Reading) {
    let listed = reading.listed.filter { $0.failure == nil }.compactMap(\.payload)
      .filter { bundleID == nil || $0.bundleId == bundleID }
    if let app = reading.app { appTakenBackAt = app.revocationDate }
    let owners = Set(listed.compactMap(\.appTransactionId).filter { !$0.isEmpty })
    let places = Set(listed.compactMap(\.environment))
    let appOwner = reading.app.flatMap { $0.appTransactionID.isEmpty ? nil : $0.appTransactionID }
    let newOwner = owners.count == 1 ? owners.first : appOwner
    let newPlace = places.count == 1 ? places.first : reading.app?.environment
    if let newOwner, newOwner != owner {
      owner = newOwner
      forget { $0 != nil && $0 != newOwner }
    }
    if let newPlace, newPlace != environment {
      environment = newPlace
      forgetChains(Set(chains.keys.filter { $0.scope.environment != newPlace }))
    }
  }

  /// Forgets the chains whose newest copies name an owner of whom this is true.
  private mutating func forget(ownedBy isForeign: (String?) -> Bool) {
    let foreign = chains.filter { _, chain in
      chain.transactions.values.contains { isForeign($0.newest.appTransactionId) }
    }
    forgetChains(Set(foreign.keys))
  }

  private mutating func forgetChains(_ keys: Set<ChainKey>) {
    guard !keys.isEmpty else { return }
    for key in keys {
      chains[key] = nil
      states[key] = nil
      vouchers[key] = nil
      renewals[key.originalTransactionId] = nil
    }
    copies = copies.filter { !keys.contains($0.value.chain) }
    for (rule, known) in chainsByRule { chainsByRule[rule] = known.subtracting(keys) }
  }
}
