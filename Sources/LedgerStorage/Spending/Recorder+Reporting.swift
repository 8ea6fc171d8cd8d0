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
    var batch = SpendBatch()
    var ids: [Int64] = []
    for item in items { ids.append(try record(item, keyID, now, &batch)) }
    for name in batch.bookNames {
      guard let kept = batch.books[name] else { continue }
      _ = try close(kept, Cause(factID: nil, now: now))
    }
    return .recorded(try ids.map { (id) throws(StoreError) in try spends.find(id: id) })
  }

  private func record(
    _ item: SpendReport, _ keyID: Int64?, _ now: Timestamp, _ batch: inout SpendBatch
  ) throws(StoreError) -> Int64 {
    let customer = try customer(of: item, now, &batch)
    var draft = SpendTable.Draft(
      name: try spends.nextName(realm), customerID: customer.id, scopeID: customer.scopeID,
      requestKeyID: keyID, purpose: item.purpose, charges: [], spentAt: item.spentAt,
      recordedAt: now)
    guard let credits = item.purpose.credits else {
      draft.charges = [try charge(item, customer.id, &batch)]
      return try spends.insert(draft)
    }
    let name = SpendBatch.BookName(customerID: customer.id, unit: credits.unit)
    if batch.books[name] == nil { batch.add(try open(credits.unit, of: customer.id), as: name) }
    guard
      let settlement = batch.books[name]?.book.spend(
        credits.amount, as: draft.name, customer.overdraft)
    else { preconditionFailure("A book that was opened is there.") }
    draft.uncovered = settlement.uncovered
    draft.charges = try charges(settlement, item.purpose.cost, item.spentAt)
    let id = try spends.insert(draft)
    batch.books[name]?.spendIDs[draft.name] = id
    return id
  }

  private func customer(
    of item: SpendReport, _ now: Timestamp, _ batch: inout SpendBatch
  ) throws(StoreError) -> SpendBatch.Customer {
    if let known = batch.customers[item.customer] { return known }
    let id = try customers.findOrMake(item.customer)
    let found = SpendBatch.Customer(
      id: id, scopeID: try chains.scopes.findOrMake(item.customer.scope),
      overdraft: try overdraft(of: id, in: item.customer.scope, at: now))
    batch.customers[item.customer] = found
    return found
  }

  private func charge(
    _ item: SpendReport, _ customerID: Int64, _ batch: inout SpendBatch
  ) throws(StoreError) -> SpendTable.Charge {
    guard let entitlement = item.purpose.entitlement else {
      return SpendTable.Charge(cost: item.purpose.cost)
    }
    let name = SpendBatch.RightName(customerID: customerID, entitlement: entitlement)
    if batch.rights[name] == nil {
      batch.rights[name] = try basis(of: entitlement, customerID)
    }
    guard let basis = batch.rights[name] else { return SpendTable.Charge(cost: item.purpose.cost) }
    return try charge(entitlement, on: basis, item.purpose.cost, at: item.spentAt)
  }

  /// Charges a cost to the purchase that an entitlement rested on at a moment, by today's knowledge.
  private func charge(
    _ entitlement: String, on basis: SpendBatch.Basis, _ cost: Cost, at moment: Timestamp
  ) throws(StoreError) -> SpendTable.Charge {
    let evidence = CustomerAnswer(
      chains: basis.chains.map { rules.answer($0.chain, at: moment) }, grants: basis.grants,
      at: moment
    ).decision(on: entitlement).evidence
    guard let stored = basis.chains.first(where: { $0.chain.key == evidence.chain }) else {
      return SpendTable.Charge(cost: cost)
    }
    return SpendTable.Charge(
      chainID: stored.id, transactionId: evidence.transactionId, cost: cost,
      lateness: try lateness(on: stored, evidence.transactionId, at: moment))
  }

  /// All of a customer's that speaks of an entitlement, at whatever moment.
  private func basis(
    of entitlement: String, _ customerID: Int64
  ) throws(StoreError) -> SpendBatch.Basis {
    let customer = try customers.find(id: customerID)
    let speaking = try chains.all(ofCustomer: customerID, in: customer.key.scope).filter {
      rules.concerns($0.chain, entitlement)
    }
    return SpendBatch.Basis(
      chains: speaking, grants: try grants.all(of: customer).map(\.grant))
  }
}
