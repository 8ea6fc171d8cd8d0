package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// What a customer has at `now`: of one entitlement alone, or of all.
  package func state(
    of key: CustomerKey, on entitlement: String? = nil, now: Timestamp
  ) throws(StoreError) -> CustomerState {
    guard let customer = try customers.find(key) else {
      return CustomerState(customer: key, version: 0, asOf: now, until: nil, decisions: [])
    }
    var decisions = try stored(of: customer, on: entitlement)
    var until = customer.dueAt
    if let dueAt = customer.dueAt, dueAt <= now {
      let revision = try revise(customer, at: now)
      decisions = revision.applied(to: decisions, on: entitlement)
      until = revision.nextChange
    }
    return CustomerState(
      customer: key, version: customer.version, asOf: now, until: until, decisions: decisions)
  }

  private func stored(
    of customer: CustomerTable.Customer, on entitlement: String?
  ) throws(StoreError) -> [Decision] {
    guard let entitlement else { return try customers.decisions(of: customer) }
    return [try customers.decision(on: entitlement, of: customer)].compactMap { $0 }
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

extension AnswerRevision {
  /// What is stored, with what was computed anew in the place of what that replaces.
  fileprivate func applied(to stored: [Decision], on entitlement: String?) -> [Decision] {
    let replaced = Set((before + after).map(\.entitlement))
    let news = after.filter { entitlement == nil || $0.entitlement == entitlement }
    return (stored.filter { !replaced.contains($0.entitlement) } + news)
      .sorted { $0.entitlement < $1.entitlement }
  }
}
