package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Records what was spent on an authorization, all of it, and closes it.
  ///
  /// Settling again with the same amounts answers the same. After its time, or after it was revoked,
  /// a hold has no credits any more: what was spent is recorded as cost.
  package func settle(
    _ id: String, _ use: SpendUse, key: RequestKey? = nil,
    within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) throws(StoreError) -> SettlementOutcome {
    guard var row = try authorizations.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    if let key, try isConflict(key, row.id, now) { return .conflict }
    let held = row.authorization
    guard use.cost.currency == held.cost.currency else { return .currencyMismatch }
    if use.credits != nil, held.purpose.credits == nil { return .unitMismatch(known: "no credits") }
    switch held.state {
    case .denied, .released: return .alreadyClosed(held)
    case .settled:
      let record = try spends.settling(row.id)
      return record?.purpose == held.purpose(of: use)
        && (use.spentAt == nil || record?.spentAt == held.moment(of: use, at: now))
        ? .done(try present(row, at: now), record) : .alreadyClosed(held)
    case .open where held.lapsesAt.map { $0 <= now } ?? false:
      _ = try end(row, as: .lapsed, Cause(factID: nil, now: now))
      row = try authorizations.again(row)
    case .open, .lapsed, .revoked: break
    }
    let spendID = try record(use, on: row, now)
    try authorizations.end(row.id, as: .settled, at: now)
    return .done(
      try present(try authorizations.again(row), at: now), try spends.find(id: spendID))
  }

  /// Gives a hold back; doing so again, or after its end, changes nothing.
  package func release(
    _ id: String, key: RequestKey? = nil, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) throws(StoreError) -> SettlementOutcome {
    guard let row = try authorizations.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    if let key, try isConflict(key, row.id, now) { return .conflict }
    switch row.authorization.state {
    case .denied, .settled: return .alreadyClosed(row.authorization)
    case .released, .lapsed, .revoked: return .done(row.authorization, nil)
    case .open:
      _ = try end(row, as: .released, Cause(factID: nil, now: now))
      return .done(try authorizations.again(row).authorization, nil)
    }
  }

  /// Whether a key was used with another request; a new one is kept.
  private func isConflict(
    _ key: RequestKey, _ authorizationID: Int64, _ now: Timestamp
  ) throws(StoreError) -> Bool {
    if let used = try requestKeys.used(key) { return !used.isSame }
    try requestKeys.keep(key, authorizationID: authorizationID, at: now)
    return false
  }

  private func record(
    _ use: SpendUse, on row: AuthorizationTable.Row, _ now: Timestamp
  ) throws(StoreError) -> Int64 {
    let held = row.authorization
    let purpose = held.purpose(of: use)
    let moment = held.moment(of: use, at: now)
    var draft = SpendTable.Draft(
      name: "spend_" + held.id, customerID: row.customerID, scopeID: row.scopeID,
      authorizationID: row.id, purpose: purpose, isAboveHold: held.isExceeded(by: purpose),
      isDegraded: held.isDegraded, charges: [], spentAt: moment, recordedAt: now)
    let draws = try lots.draws(of: row.id)
    guard held.state == .open, let credits = purpose.credits else {
      draft.uncovered = purpose.credits?.amount ?? 0
      draft.charges = try charges(for: row, draws, purpose.cost, moment)
      return try spends.insert(draft)
    }
    var kept = try open(credits.unit, of: row.customerID)
    let treatment = try overdraft(of: row.customerID, in: held.customer.scope, at: now)
    let settlement = kept.book.spend(
      credits.amount, held: draws, as: draft.name, treatment)
    draft.uncovered = settlement.uncovered
    draft.charges = try charges(settlement, purpose.cost, moment)
    let id = try spends.insert(draft)
    kept.spendIDs[draft.name] = id
    _ = try close(kept, Cause(factID: nil, now: now))
    return id
  }

  /// Splits a cost by the credits that paid; what none paid is charged to no purchase.
  func charges(
    _ settlement: CreditBook.Settlement, _ cost: Cost, _ moment: Timestamp
  ) throws(StoreError) -> [SpendTable.Charge] {
    let hasRest = settlement.uncovered > 0 || settlement.draws.isEmpty
    let weights = settlement.draws.map(\.credits) + (hasRest ? [settlement.uncovered] : [])
    let parts = cost.split(by: weights)
    var charges: [SpendTable.Charge] = []
    for (draw, part) in zip(settlement.draws, parts) {
      let purchase = try lots.purchase(of: draw.lot)
      let stored = try chains.find(id: purchase.chainID)
      charges.append(
        SpendTable.Charge(
          chainID: purchase.chainID, transactionId: purchase.transactionId, lotID: draw.lot,
          cost: part, credits: draw.credits,
          lateness: try lateness(on: stored, purchase.transactionId, at: moment)))
    }
    if hasRest, let rest = parts.last { charges.append(SpendTable.Charge(cost: rest)) }
    return charges
  }

  /// Charges a cost to what its hold was given on, without drawing credits.
  private func charges(
    for row: AuthorizationTable.Row, _ draws: [CreditBook.Draw], _ cost: Cost,
    _ moment: Timestamp
  ) throws(StoreError) -> [SpendTable.Charge] {
    let held = row.authorization
    var charges: [SpendTable.Charge] = []
    for (draw, part) in zip(draws, cost.split(by: draws.map(\.credits))) {
      let purchase = try lots.purchase(of: draw.lot)
      charges.append(
        SpendTable.Charge(
          chainID: purchase.chainID, transactionId: purchase.transactionId, lotID: draw.lot,
          cost: part))
    }
    if draws.isEmpty {
      charges = [
        SpendTable.Charge(chainID: row.chainID, transactionId: held.transactionId, cost: cost)
      ]
    }
    for place in charges.indices {
      let stored = try charges[place].chainID.flatMap { (id) throws(StoreError) in
        try chains.find(id: id)
      }
      let late = try lateness(on: stored, charges[place].transactionId, at: moment)
      let isAfterEnd = held.state == .revoked && (held.endedAt ?? moment) <= moment
      charges[place].lateness = late ?? (isAfterEnd ? .ignored : nil)
    }
    return charges
  }
}

/// What was used of a hold.
package struct SpendUse: Hashable, Sendable {
  package let cost: Cost
  /// As many as were held unless stated.
  package let units: Int64?
  /// As many as were held unless stated.
  package let credits: Int64?
  /// When it was spent: of what took time, when that began; when it is settled unless stated.
  package let spentAt: Timestamp?

  package init(
    cost: Cost, units: Int64? = nil, credits: Int64? = nil, spentAt: Timestamp? = nil
  ) {
    self.cost = cost
    self.units = units
    self.credits = credits
    self.spentAt = spentAt
  }
}

extension SpendAuthorization {
  /// What is recorded when so much of it was used.
  fileprivate func purpose(of use: SpendUse) -> SpendPurpose {
    SpendPurpose(
      entitlement: purpose.entitlement,
      credits: purpose.credits.map { Credits(unit: $0.unit, amount: use.credits ?? $0.amount) },
      measure: SpendMeasure(
        kind: purpose.measure.kind, unit: purpose.measure.unit,
        units: use.units ?? purpose.measure.units),
      cost: use.cost)
  }

  /// When it was used: never before there was a hold.
  fileprivate func moment(of use: SpendUse, at now: Timestamp) -> Timestamp {
    max(use.spentAt ?? now, decidedAt)
  }

  /// Whether more was used than was held, of anything that is counted.
  fileprivate func isExceeded(by used: SpendPurpose) -> Bool {
    used.cost.microunits > cost.microunits || used.measure.units > purpose.measure.units
      || (used.credits?.amount ?? 0) > (purpose.credits?.amount ?? 0)
  }
}
