package import AppStoreModel
import EntitlementLedger

extension Recorder {
  var runningCosts: RunningCostTable {
    RunningCostTable(session: session, customers: customers)
  }

  /// Lets a cost run from now on; stating the same again changes nothing.
  ///
  /// One that ended begins anew.
  package func run(
    _ terms: RunningCost.Terms, now: Timestamp
  ) throws(StoreError) -> RunningCostOutcome {
    let customerID = try customers.findOrMake(terms.customer)
    let scopeID = try chains.scopes.findOrMake(terms.customer.scope)
    if let known = try otherUnit(terms.measure, scopeID) { return .unitMismatch(known: known) }
    if let known = try runningCosts.find(terms.name, ofCustomer: customerID),
      known.cost.dueAt != nil
    {
      return known.cost.terms == terms ? .running(known.cost) : .conflict
    }
    var chainID: Int64?
    if case .purchase(let original) = terms.basis {
      let key = ChainKey(scope: terms.customer.scope, originalTransactionId: original)
      guard let stored = try chains.findHeader(key), stored.customerID == customerID else {
        return .unknownPurchase
      }
      chainID = stored.id
    }
    try runningCosts.insert(
      terms, customerID: customerID, scopeID: scopeID, chainID: chainID, at: now)
    guard let row = try runningCosts.find(terms.name, ofCustomer: customerID) else {
      throw .inconsistent(detail: "a running cost is missing")
    }
    return .running(row.cost)
  }

  /// Ends a running cost; what of its period has passed is recorded.
  ///
  /// - Returns: How it stands then; `nil` for an unknown one.
  package func endCost(
    _ name: String, of customer: CustomerKey, now: Timestamp
  ) throws(StoreError) -> RunningCost? {
    guard let owner = try customers.find(customer),
      let row = try runningCosts.find(name, ofCustomer: owner.id)
    else { return nil }
    if row.cost.dueAt != nil { try finish(row, .ended, now) }
    return try runningCosts.find(name, ofCustomer: owner.id)?.cost
  }

  package func runningCosts(of customer: CustomerKey) throws(StoreError) -> [RunningCost] {
    guard let owner = try customers.find(customer) else { return [] }
    return try runningCosts.all(ofCustomer: owner.id).map(\.cost)
  }

  /// Records every whole period that has passed.
  ///
  /// - Returns: For how many costs, and the positions of the events.
  func accrueCosts(
    at now: Timestamp, limit: Int
  ) throws(StoreError) -> (count: Int, events: [Int64]) {
    var count = 0
    for row in try runningCosts.due(by: now, limit: limit) {
      try catchUp(row, as: row.cost.state, now)
      count += 1
    }
    return (count, [])
  }

  /// Stops, flags or unflags what runs for a changed chain, whatever that grants.
  ///
  /// - Returns: The positions of the events, in order.
  func followCosts(_ change: ChainChange, _ cause: Cause) throws(StoreError) -> [Int64] {
    let chain = change.after.chain
    let basis = RunningCost.Basis.purchase(
      originalTransactionId: chain.key.originalTransactionId)
    var events: [Int64] = []
    if let owner = change.ownerBefore, owner != change.after.customerID {
      events += try revokeCosts(of: owner, cause) { $0 == basis }
    }
    guard !chain.revocations.isEmpty || !chain.undatedRevocations.isEmpty,
      let owner = change.after.customerID
    else { return events }
    let paying = chain.boughtLast(by: cause.now)
    if paying.flatMap({ chain.takenBack($0) }) != nil {
      events += try revokeCosts(of: owner, cause) { $0 == basis }
    } else {
      events += try unflagCosts(of: owner, cause) { $0 == basis }
    }
    return events
  }

  /// Stops or flags what runs for a purchase that was taken back.
  ///
  /// - Returns: The positions of the events, in order.
  func revokeCosts(
    of customerID: Int64, _ cause: Cause, where isConcerned: (RunningCost.Basis) -> Bool
  ) throws(StoreError) -> [Int64] {
    var events: [Int64] = []
    for row in try runningCosts.running(ofCustomer: customerID)
    where isConcerned(row.cost.terms.basis) && row.cost.state == .running {
      switch row.cost.terms.onRevocation {
      case .stop: try finish(row, .stopped, cause.now)
      // What is owed until now ran before anybody could know.
      case .flag: try catchUp(row, as: .flagged, cause.now)
      }
      events.append(try tell(row, cause))
    }
    return events
  }

  /// Lets what was flagged run as before, after a reversal.
  ///
  /// - Returns: The positions of the events, in order.
  func unflagCosts(
    of customerID: Int64, _ cause: Cause, where isConcerned: (RunningCost.Basis) -> Bool
  ) throws(StoreError) -> [Int64] {
    var events: [Int64] = []
    for row in try runningCosts.running(ofCustomer: customerID)
    where isConcerned(row.cost.terms.basis) && row.cost.state == .flagged {
      try catchUp(row, as: .running, cause.now)
      events.append(try tell(row, cause))
    }
    return events
  }

  func finish(
    _ row: RunningCostTable.Row, _ state: RunningCost.State, _ now: Timestamp
  ) throws(StoreError) {
    let end = max(now, row.cost.accruedUntil)
    let begin = try recordPeriods(of: row, by: end, now)
    if begin < end {
      let length = TimeSpan(
        milliseconds: end.millisecondsSince1970 - begin.millisecondsSince1970)
      let terms = row.cost.terms
      try record(
        row, terms.measure(of: length), terms.cost(of: length),
        try payer(of: row).charge(at: begin), at: begin, now)
    }
    try runningCosts.write(row.id, state, accruedUntil: end, dueAt: nil, endedAt: end)
  }

  /// Records the whole periods that are over, by what the cost was until now, and lets it go on as it is
  /// to be.
  private func catchUp(
    _ row: RunningCostTable.Row, as state: RunningCost.State, _ now: Timestamp
  ) throws(StoreError) {
    let begin = try recordPeriods(of: row, by: now, now)
    try runningCosts.write(
      row.id, state, accruedUntil: begin, dueAt: begin.adding(row.cost.terms.period), endedAt: nil)
  }

  private func tell(_ row: RunningCostTable.Row, _ cause: Cause) throws(StoreError) -> Int64 {
    guard let now = try runningCosts.find(row.cost.terms.name, ofCustomer: row.customerID) else {
      throw .inconsistent(detail: "a running cost is missing")
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("runningCost")
      writer.runningCost(now.cost)
    }
    return try events.append(
      type: .runningCostChanged, payload: writer.bytes, customerID: row.customerID,
      scopeID: row.scopeID, version: try nextVersion(of: row.customerID), cause)
  }
}

extension JSONWriter {
  package mutating func runningCost(_ cost: RunningCost) {
    let terms = cost.terms
    object { writer in
      writer.member("name", terms.name)
      switch terms.basis {
      case .entitlement(let name): writer.member("entitlement", name)
      case .purchase(let original): writer.member("originalTransactionId", original)
      }
      writer.member("kind", terms.measure.kind)
      writer.member("unit", terms.measure.unit)
      writer.member("units", terms.measure.units)
      writer.cost("amount", terms.cost)
      writer.member("periodSeconds", terms.period.milliseconds / 1_000)
      writer.member("periodMs", terms.period.milliseconds)
      writer.member("onRevocation", terms.onRevocation.rawValue)
      writer.member("state", cost.state.rawValue)
      writer.member("begunAtMs", cost.begunAt.millisecondsSince1970)
      writer.member("accruedUntilMs", cost.accruedUntil.millisecondsSince1970)
      writer.member("dueAtMs", cost.dueAt?.millisecondsSince1970)
      writer.member("endedAtMs", cost.endedAt?.millisecondsSince1970)
    }
  }
}
