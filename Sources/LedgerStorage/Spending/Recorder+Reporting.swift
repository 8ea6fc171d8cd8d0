package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Records spend that was not asked for first: all items or none.
  ///
  /// Nothing is denied, since it has happened: it is charged to the purchase that paid at its moment,
  /// by what is known now, and credits are drawn as far as there are any.
  package func report(
    _ items: [SpendReport], key: RequestKey?, now: Timestamp
  ) throws(StoreError) -> RecordingOutcome {
    if let key, let used = try requestKeys.used(key) {
      return used.isSame && used.authorizationID == nil
        ? .repeated(try spends.recorded(by: used.id)) : .conflict
    }
    for (place, item) in items.enumerated() {
      let scopeID = try chains.scopes.findOrMake(item.customer.scope)
      if let known = try otherUnit(item.purpose.measure, scopeID) {
        return .unitMismatch(place: place, known: known)
      }
    }
    let keyID = try key.map { (key) throws(StoreError) in try requestKeys.keep(key, at: now) }
    return .recorded(
      try items.map { (item) throws(StoreError) in
        try spends.find(id: try record(item, keyID, now))
      })
  }

  private func record(
    _ item: SpendReport, _ keyID: Int64?, _ now: Timestamp
  ) throws(StoreError) -> Int64 {
    let customerID = try customers.findOrMake(item.customer)
    var draft = SpendTable.Draft(
      name: try spends.nextName(realm), customerID: customerID,
      scopeID: try chains.scopes.findOrMake(item.customer.scope), requestKeyID: keyID,
      purpose: item.purpose, charges: [], spentAt: item.spentAt, recordedAt: now)
    guard let credits = item.purpose.credits else {
      draft.charges = [
        try charge(item.purpose.entitlement, customerID, item.purpose.cost, at: item.spentAt)
      ]
      return try spends.insert(draft)
    }
    var kept = try open(credits.unit, of: customerID)
    let settlement = kept.book.spend(
      credits.amount, as: draft.name,
      try overdraft(of: customerID, in: item.customer.scope, at: now))
    draft.uncovered = settlement.uncovered
    draft.charges = try charges(settlement, item.purpose.cost, item.spentAt)
    let id = try spends.insert(draft)
    kept.spendIDs[draft.name] = id
    _ = try close(kept, Cause(factID: nil, now: now))
    return id
  }

  /// Charges a cost to the purchase that an entitlement rested on at a moment, by today's knowledge.
  func charge(
    _ entitlement: String?, _ customerID: Int64, _ cost: Cost, at moment: Timestamp
  ) throws(StoreError) -> SpendTable.Charge {
    guard let entitlement else { return SpendTable.Charge(cost: cost) }
    let customer = try customers.find(id: customerID)
    let answers = try chains.all(ofCustomer: customerID, in: customer.key.scope).map {
      rules.answer($0.chain, at: moment)
    }
    let evidence = CustomerAnswer(
      chains: answers, grants: try grants.all(of: customer).map(\.grant), at: moment
    ).decision(on: entitlement).evidence
    guard let key = evidence.chain, let stored = try chains.find(key) else {
      return SpendTable.Charge(cost: cost)
    }
    return SpendTable.Charge(
      chainID: stored.id, transactionId: evidence.transactionId, cost: cost,
      lateness: try lateness(on: stored, evidence.transactionId, at: moment))
  }
}
