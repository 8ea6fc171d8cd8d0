package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Links a chain to a customer, and binds the chain's `appTransactionId` to the customer.
  package func link(
    _ originalTransactionId: String, to customer: CustomerKey, note: String?, now: Timestamp
  ) throws(StoreError) -> OwnershipOutcome {
    guard let stored = try find(originalTransactionId, customer.scope) else {
      return .unknownPurchase
    }
    let claim = try ownershipClaim(of: stored)
    let records = try ownership.records(of: stored, claim)
    do throws(LinkRefusal) {
      try Attribution.checkLink(to: customer.id, claim, records)
    } catch {
      return .refused(error)
    }
    let isBound = claim.appTransactionId == nil || records.boundTo == customer.id
    if records.linkedTo == customer.id, isBound { return .done(changed: false) }
    let customerID = try customers.findOrMake(customer)
    try ownership.link(stored.id, to: customerID, at: now)
    if let appTransactionId = claim.appTransactionId {
      try ownership.bind(
        appTransactionId, inScope: stored.scopeID, to: customerID, at: now)
    }
    let fact = OwnFact(
      scope: customer.scope, recordedAt: now, note: note,
      statement: .link(
        customer: customer.id, originalTransactionId: originalTransactionId,
        appTransactionId: claim.appTransactionId))
    try follow(stored, claim, customerID, fact)
    return .done(changed: true)
  }

  /// Ends a link, and what it bound.
  package func unlink(
    _ originalTransactionId: String, from customer: CustomerKey, note: String?, now: Timestamp
  ) throws(StoreError) -> OwnershipOutcome {
    guard let stored = try find(originalTransactionId, customer.scope) else {
      return .unknownPurchase
    }
    guard let row = try customers.find(customer), try ownership.unlink(stored.id, from: row.id)
    else { return .notLinked }
    let claim = try ownershipClaim(of: stored)
    if let appTransactionId = claim.appTransactionId {
      try ownership.unbind(appTransactionId, inScope: stored.scopeID, from: row.id)
    }
    let fact = OwnFact(
      scope: customer.scope, recordedAt: now, note: note,
      statement: .unlink(
        customer: customer.id, originalTransactionId: originalTransactionId))
    try follow(stored, claim, row.id, fact)
    return .done(changed: true)
  }

  /// Moves a chain over everything that is signed; both customers are told.
  package func transfer(
    _ originalTransactionId: String, to customer: CustomerKey, note: String, now: Timestamp
  ) throws(StoreError) -> OwnershipOutcome {
    guard let stored = try find(originalTransactionId, customer.scope) else {
      return .unknownPurchase
    }
    let claim = try ownershipClaim(of: stored)
    let known = try ownership.records(of: stored, claim).transferredTo
    if known == customer.id { return .done(changed: false) }
    let customerID = try customers.findOrMake(customer)
    try ownership.transfer(stored.id, to: customerID, at: now)
    let fact = OwnFact(
      scope: customer.scope, recordedAt: now, note: note,
      statement: .transfer(to: customer.id, originalTransactionId: originalTransactionId))
    try follow(stored, claim, customerID, fact)
    return .done(changed: true)
  }

  private func find(_ originalTransactionId: String, _ scope: Scope) throws(StoreError)
    -> StoredChain?
  {
    try chains.find(ChainKey(scope: scope, originalTransactionId: originalTransactionId))
  }

  /// Records the statement and what follows from it for this chain and those that hang on it.
  private func follow(
    _ stored: StoredChain, _ claim: OwnershipClaim, _ customerID: Int64, _ fact: OwnFact
  ) throws(StoreError) {
    let filing = FactTable.Filing(
      effect: .applied, scopeID: stored.scopeID, chainID: stored.id, customerID: customerID,
      date: fact.recordedAt)
    let factID = try facts.store(fact, filing)
    let others = try ownership.chains(
      inScope: stored.scopeID, token: nil, appTransactionId: claim.appTransactionId,
      predecessor: nil)
    var changes = [ChainChange(stored)]
    for id in others where id != stored.id {
      if let other = try chains.find(id: id) { changes.append(ChainChange(other)) }
    }
    _ = try settle(&changes, Cause(fact, id: factID))
  }
}
