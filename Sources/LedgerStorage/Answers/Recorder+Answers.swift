import AppStoreModel
import EntitlementLedger

extension Recorder {
  func state(of key: CustomerKey, now: Timestamp) throws(StoreError) -> CustomerState {
    guard let customer = try customers.find(key) else {
      return CustomerState(customer: key, version: 0, asOf: now, until: nil, decisions: [])
    }
    if let dueAt = customer.dueAt, dueAt <= now {
      let answer = try answer(customer, at: now)
      return CustomerState(
        customer: key, version: customer.version, asOf: now, until: answer.nextChange,
        decisions: answer.decisions)
    }
    return CustomerState(
      customer: key, version: customer.version, asOf: now, until: customer.dueAt,
      decisions: try customers.decisions(of: customer))
  }

  /// Folds the facts signed by a moment; owners are those of today.
  func state(of key: CustomerKey, at moment: Timestamp) throws(StoreError) -> CustomerState {
    guard let customer = try customers.find(key) else {
      return CustomerState(customer: key, version: 0, asOf: moment, until: nil, decisions: [])
    }
    let stored = try chains.all(ofCustomer: customer.id, in: key.scope)
    let then = try stored.map { (stored) throws(StoreError) in
      Chain(
        key: stored.chain.key, folding: try facts.facts(ofChain: stored.id, in: key.scope),
        signedBy: moment)
    }
    let grants = try self.grants.all(of: customer).compactMap { $0.known(at: moment) }
    let answer = CustomerAnswer(
      chains: then.map { rules.answer($0, at: moment) }, grants: grants, at: moment)
    return CustomerState(
      customer: key, version: customer.version, asOf: moment, until: answer.nextChange,
      decisions: answer.decisions)
  }

  func digest() throws(StoreError) -> String {
    let latest = try session.number(Self.latestDate, []) ?? 0
    var digest = LedgerDigest(
      at: Timestamp(millisecondsSince1970: latest), hashing: Fingerprint.init(hashing:))
    try chains.forEach { (stored) throws(StoreError) in
      let bundleId = stored.chain.key.scope.bundleId
      digest.add(
        stored.chain, catalog: rules.catalog(bundleId), policy: rules.policy(bundleId))
    }
    return digest.hexadecimal
  }

  private static let latestDate = SQLStatement(
    "SELECT max(dated_at_ms) FROM facts WHERE effect = 'applied' AND kind <> 'own'")
}
