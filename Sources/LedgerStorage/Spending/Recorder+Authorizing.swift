package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Decides and reserves in one step, at the answer that all earlier writes add up to.
  package func authorize(
    _ request: SpendRequest, id: String, now: Timestamp
  ) throws(StoreError) -> AuthorizationOutcome {
    if let key = request.idempotency, let used = try requestKeys.used(key) {
      return try repeated(used, now)
    }
    let customerID = try customers.findOrMake(request.customer)
    let scopeID = try chains.scopes.findOrMake(request.customer.scope)
    // What was allowed without the store is recorded as it was, in whatever it is counted.
    if let known = try otherUnit(request.purpose.measure, scopeID), !request.isDegraded {
      return .unitMismatch(known: known)
    }
    if let dueAt = try customers.find(id: customerID).dueAt, dueAt <= now {
      _ = try refresh(customerID, [], Cause(factID: nil, now: now))
    }
    let ground = try ground(request, customerID, scopeID, now)
    let authorization = SpendAuthorization(
      id: id, customer: request.customer, purpose: request.purpose,
      state: ground.isAllowed ? .open : .denied, reason: ground.reason,
      version: try customers.find(id: customerID).version,
      originalTransactionId: ground.originalTransactionId, transactionId: ground.transactionId,
      draws: [], isDegraded: request.isDegraded, decidedAt: now,
      lapsesAt: ground.isAllowed ? now.adding(request.holdLength) : nil, endedAt: nil)
    let row = try authorizations.insert(
      authorization, customerID: customerID, scopeID: scopeID, chainID: ground.chainID,
      ground.right)
    for draw in ground.draws { try lots.hold(draw, for: row) }
    if let kept = ground.kept { _ = try close(kept, Cause(factID: nil, now: now)) }
    if let key = request.idempotency { try requestKeys.keep(key, authorizationID: row, at: now) }
    guard let stored = try authorizations.find(id: row) else {
      throw .inconsistent(detail: "an authorization is missing")
    }
    guard request.isDegraded, try withdrawal(of: stored, at: now) != nil else {
      return .decided(stored.authorization)
    }
    _ = try end(stored, as: .revoked, Cause(factID: nil, now: now))
    return .decided(try authorizations.again(stored).authorization)
  }

  /// The answer that was given before, with what has become of it.
  ///
  /// Nothing is allowed after its time, or on what was taken back, also not as a repeat.
  private func repeated(
    _ used: RequestKeyTable.Used, _ now: Timestamp
  ) throws(StoreError) -> AuthorizationOutcome {
    guard used.isSame, let id = used.authorizationID, let row = try authorizations.find(id: id)
    else { return .conflict }
    let known = row.authorization
    guard known.state == .open, known.lapsed(by: now).state == .lapsed else {
      return .repeated(try present(row, at: now))
    }
    _ = try end(row, as: .lapsed, Cause(factID: nil, now: now))
    return .repeated(try authorizations.again(row).authorization)
  }

  /// What an answer rests on.
  private struct Ground {
    var reason: String
    var isAllowed: Bool
    var chainID: Int64?
    var originalTransactionId: String?
    var transactionId: String?
    var right: AuthorizationTable.Right?
    var draws: [CreditBook.Draw] = []
    /// The book that credits were set aside in.
    var kept: KeptBook?

    mutating func refuse(_ refusal: SpendRefusal) {
      reason = refusal.rawValue
      isAllowed = false
    }
  }

  private func ground(
    _ request: SpendRequest, _ customerID: Int64, _ scopeID: Int64, _ now: Timestamp
  ) throws(StoreError) -> Ground {
    var ground = try right(request, now)
    if request.isDegraded {
      if let credits = request.purpose.credits { try hold(credits, of: customerID, &ground) }
      ground.reason = SpendRefusal.storeUnreachable.rawValue
      ground.isAllowed = true
      return ground
    }
    guard ground.isAllowed else { return ground }
    if try isOverBudget(request, scopeID, now) {
      ground.refuse(.sandboxBudget)
    } else if let most = request.limits.openHolds,
      try authorizations.openCount(ofCustomer: customerID) >= most
    {
      ground.refuse(.tooManyHolds)
    } else if let credits = request.purpose.credits {
      try hold(credits, of: customerID, &ground)
    }
    return ground
  }

  /// What the customer's decision says; without an entitlement the balance alone decides.
  private func right(_ request: SpendRequest, _ now: Timestamp) throws(StoreError) -> Ground {
    guard let entitlement = request.purpose.entitlement else {
      return Ground(reason: SpendAuthorization.creditsAvailable, isAllowed: true)
    }
    let decision = try state(of: request.customer, on: entitlement, now: now)
      .decision(on: entitlement)
    var ground = Ground(
      reason: decision.reason.rawValue, isAllowed: allows(decision, in: request.customer, at: now))
    if let key = decision.evidence.chain, let stored = try chains.findHeader(key) {
      ground.chainID = stored.id
      ground.originalTransactionId = key.originalTransactionId
      ground.transactionId = decision.evidence.transactionId
      ground.right = AuthorizationTable.Right(
        chainID: stored.id, key: key, transactionId: decision.evidence.transactionId)
    } else if let grantId = decision.evidence.grantId {
      ground.right = AuthorizationTable.Right(grantId: grantId)
    }
    return ground
  }

  private func hold(
    _ credits: Credits, of customerID: Int64, _ ground: inout Ground
  ) throws(StoreError) {
    var kept = try open(credits.unit, of: customerID)
    if kept.book.isFrozen { return ground.refuse(.creditsFrozen) }
    guard let draws = kept.book.hold(credits.amount) else {
      return ground.refuse(.insufficientCredits)
    }
    ground.draws = draws
    ground.kept = kept
    guard let first = draws.first else { return }
    let purchase = try lots.purchase(of: first.lot)
    ground.chainID = purchase.chainID
    ground.transactionId = purchase.transactionId
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

  /// Whether spend on sandbox purchases, which nobody paid for, would pass its budget.
  private func isOverBudget(
    _ request: SpendRequest, _ scopeID: Int64, _ now: Timestamp
  ) throws(StoreError) -> Bool {
    guard request.customer.scope.environment == .sandbox, let budget = request.limits.sandboxBudget
    else { return false }
    let cost = request.purpose.cost
    let spent = try spends.spent(
      inScope: scopeID, cost.currency, since: now.subtracting(request.limits.budgetPeriod))
    let held = try authorizations.held(inScope: scopeID, cost.currency)
    return spent.saturatingSum(held).saturatingSum(cost.microunits) > budget
  }

  /// The unit that a kind is counted in; `nil` for a kind that was never used.
  package func unit(ofKind kind: String, in scope: Scope) throws(StoreError) -> String? {
    guard let scopeID = try chains.scopes.find(scope) else { return nil }
    return try session.first(Self.unitOfKind, [.integer(scopeID), .text(kind)]) { $0.text(0) }
      ?? nil
  }

  /// The unit that a kind is counted in where it is not the one that is named; the first one stays.
  func otherUnit(_ measure: SpendMeasure, _ scopeID: Int64) throws(StoreError) -> String? {
    let values: [SQLValue] = [.integer(scopeID), .text(measure.kind)]
    let known = try session.first(Self.unitOfKind, values) { $0.text(0) } ?? nil
    guard let known else {
      try session.run(Self.insertKind, values + [.text(measure.unit)])
      return nil
    }
    return known == measure.unit ? nil : known
  }

  private static let unitOfKind = SQLStatement(
    "SELECT unit FROM spend_kinds WHERE scope_id = ? AND kind = ?")
  private static let insertKind = SQLStatement(
    "INSERT INTO spend_kinds (scope_id, kind, unit) VALUES (?, ?, ?)")
}

extension SpendAuthorization {
  /// The reason where a balance alone decided.
  static let creditsAvailable = "creditsAvailable"
}
