package import AppStoreModel
import EntitlementLedger

extension Recorder {
  private var spends: SpendTable { SpendTable(session: session, customers: customers) }

  /// Decides and reserves in one step, at the answer that all earlier writes add up to.
  package func authorize(
    _ request: SpendRequest, id: String, now: Timestamp
  ) throws(StoreError) -> AuthorizationOutcome {
    if let key = request.idempotency, let used = try spends.used(key) {
      let isSame = used.sha256 == key.requestSHA256
      return isSame ? .repeated(used.row.authorization) : .conflict
    }
    let customerID = try customers.findOrMake(request.customer)
    if let dueAt = try customers.find(id: customerID).dueAt, dueAt <= now {
      _ = try refresh(customerID, [], Cause(factID: nil, now: now))
    }
    let state = try self.state(of: request.customer, now: now)
    let decision = state.decision(on: request.entitlement)
    let isAllowed = allows(decision, in: request.customer, at: now)
    let chain = try decision.evidence.chain.flatMap { (key) throws(StoreError) in
      try chains.find(key)
    }
    let authorization = SpendAuthorization(
      id: id, customer: request.customer, entitlement: request.entitlement,
      amount: request.amount, state: isAllowed ? .open : .denied,
      reason: decision.reason.rawValue, version: state.version,
      originalTransactionId: chain?.chain.key.originalTransactionId,
      transactionId: decision.evidence.transactionId, decidedAt: now,
      lapsesAt: isAllowed ? now.adding(request.holdLength) : nil)
    try spends.insert(
      authorization, customerID: customerID, chainID: chain?.id, request.idempotency)
    return .decided(authorization)
  }

  /// Records what was spent on an authorization, all of it, and closes it.
  ///
  /// Settling again with the same amount answers the same.
  package func settle(
    _ id: String, amount: Money, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) throws(StoreError) -> SettlementOutcome {
    guard let row = try spends.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    let held = row.authorization
    guard amount.currency == held.amount.currency else { return .currencyMismatch }
    switch held.state {
    case .denied, .released: return .alreadyClosed(held)
    case .settled:
      let record = try spends.record(on: row.id)
      return record?.amount == amount ? .done(held, record) : .alreadyClosed(held)
    case .open, .lapsed, .revoked:
      let record = SpendRecord(
        amount: amount, isAboveHold: amount.milliunits > held.amount.milliunits,
        lateness: try lateness(of: held, at: now), spentAt: now)
      try spends.insert(record, on: row)
      try spends.set(.settled, of: row.id)
      return .done(try spends.find(name: id)?.authorization ?? held, record)
    }
  }

  /// Gives a hold back; doing so again, or after its end, changes nothing.
  package func release(
    _ id: String, within isVisible: (CustomerKey) -> Bool
  ) throws(StoreError) -> SettlementOutcome {
    guard let row = try spends.find(name: id), isVisible(row.authorization.customer) else {
      return .unknownAuthorization
    }
    switch row.authorization.state {
    case .denied, .settled: return .alreadyClosed(row.authorization)
    case .released, .lapsed, .revoked: return .done(row.authorization, nil)
    case .open:
      try spends.set(.released, of: row.id)
      return .done(try spends.find(name: id)?.authorization ?? row.authorization, nil)
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
    let decision = try state(of: held.customer, now: now).decision(on: held.entitlement)
    return decision.verdict == .denied && decision.reason.isTakenBack ? .ignored : nil
  }
}
