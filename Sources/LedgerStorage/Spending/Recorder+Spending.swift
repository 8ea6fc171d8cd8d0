package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Decides and reserves in one step, at the answer that all earlier writes add up to.
  package func authorize(
    _ request: SpendRequest, id: String, now: Timestamp
  ) throws(StoreError) -> AuthorizationOutcome {
    if let key = request.idempotency, let used = try requestKeys.used(key) {
      guard used.isSame, let row = used.authorizationID,
        let known = try authorizations.find(id: row)
      else { return .conflict }
      return .repeated(known.authorization)
    }
    let customerID = try customers.findOrMake(request.customer)
    if let dueAt = try customers.find(id: customerID).dueAt, dueAt <= now {
      _ = try refresh(customerID, [], Cause(factID: nil, now: now))
    }
    let entitlement = request.purpose.entitlement ?? ""
    let state = try self.state(of: request.customer, on: entitlement, now: now)
    let decision = state.decision(on: entitlement)
    let isAllowed = allows(decision, in: request.customer, at: now)
    let chain = try decision.evidence.chain.flatMap { (key) throws(StoreError) in
      try chains.findHeader(key)
    }
    let authorization = SpendAuthorization(
      id: id, customer: request.customer, purpose: request.purpose,
      state: isAllowed ? .open : .denied,
      reason: decision.reason.rawValue, version: state.version,
      originalTransactionId: chain?.chain.key.originalTransactionId,
      transactionId: decision.evidence.transactionId, draws: [], isDegraded: false,
      decidedAt: now, lapsesAt: isAllowed ? now.adding(request.holdLength) : nil, endedAt: nil)
    let row = try authorizations.insert(
      authorization, customerID: customerID,
      scopeID: try chains.scopes.findOrMake(request.customer.scope), chainID: chain?.id)
    if let key = request.idempotency {
      try requestKeys.keep(key, authorizationID: row, at: now)
    }
    return .decided(authorization)
  }

  /// Records what was spent on an authorization, all of it, and closes it.
  ///
  /// Settling again with the same amount answers the same.
  package func settle(
    _ id: String, cost: Cost, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) throws(StoreError) -> SettlementOutcome {
    guard let row = try authorizations.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    let held = row.authorization
    guard cost.currency == held.cost.currency else { return .currencyMismatch }
    switch held.state {
    case .denied, .released: return .alreadyClosed(held)
    case .settled:
      let record = try spends.settling(row.id)
      return record?.cost == cost ? .done(held, record) : .alreadyClosed(held)
    case .open, .lapsed, .revoked:
      let charge = SpendTable.Charge(
        chainID: row.chainID, transactionId: held.transactionId, cost: cost,
        lateness: try lateness(of: held, at: now))
      _ = try spends.insert(
        SpendTable.Draft(
          name: "spend_" + held.id, customerID: row.customerID, scopeID: row.scopeID,
          authorizationID: row.id,
          purpose: SpendPurpose(
            entitlement: held.entitlement, measure: held.purpose.measure, cost: cost),
          isAboveHold: cost.microunits > held.cost.microunits, charges: [charge], spentAt: now,
          recordedAt: now))
      try authorizations.end(row.id, as: .settled, at: now)
      return .done(
        try authorizations.again(row).authorization, try spends.settling(row.id))
    }
  }

  /// Gives a hold back; doing so again, or after its end, changes nothing.
  package func release(
    _ id: String, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) throws(StoreError) -> SettlementOutcome {
    guard let row = try authorizations.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    switch row.authorization.state {
    case .denied, .settled: return .alreadyClosed(row.authorization)
    case .released, .lapsed, .revoked: return .done(row.authorization, nil)
    case .open:
      try authorizations.end(row.id, as: .released, at: now)
      return .done(try authorizations.again(row).authorization, nil)
    }
  }

  private func allows(
    _ decision: Decision, in customer: CustomerKey, at now: Timestamp
  ) -> Bool {
    switch decision.verdict {
    case .granted: true
    case .denied: false
    case .unknown:
      rules.policy(customer.scope.bundleId).entry(at: now).unknownCustomer == .allow
    }
  }

  /// Late is what is settled after access was taken back, which we knew by then.
  private func lateness(
    of held: SpendAuthorization, at now: Timestamp
  ) throws(StoreError) -> SpendRecord.Lateness? {
    if held.state == .revoked { return .ignored }
    let entitlement = held.entitlement ?? ""
    let state = try state(of: held.customer, on: entitlement, now: now)
    let decision = state.decision(on: entitlement)
    return decision.verdict == .denied && decision.reason.isTakenBack ? .ignored : nil
  }
}
