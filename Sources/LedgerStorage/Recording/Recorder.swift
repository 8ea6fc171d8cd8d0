package import AppStoreModel
import EntitlementLedger

/// Takes facts in: what it does in one call belongs into one transaction.
///
/// Chains join the fact, and from the difference follow postings, owners, answers, versions,
/// deadlines and events. The clock that it uses is the moment it is given.
package struct Recorder {
  package let session: any SQLSession
  let realm: Realm
  package let rules: LedgerRules
  let facts: FactTable
  let chains: ChainTable
  let claims: ClaimTable
  let customers: CustomerTable
  let ownership: OwnershipTable
  let events: EventTable
  let cases: CaseTable

  /// - Parameters:
  ///   - session: Where to write, within a transaction.
  ///   - realm: The store's.
  ///   - rules: What products grant, and how doubt is treated.
  ///   - tally: Is told of each event that is written.
  package init(
    session: any SQLSession, realm: Realm, rules: LedgerRules, tally: EventTally? = nil
  ) {
    self.session = session
    self.realm = realm
    self.rules = rules
    facts = FactTable(session: session)
    let scopes = ScopeTable(session: session, realm: realm)
    chains = ChainTable(session: session, scopes: scopes)
    claims = ClaimTable(session: session)
    customers = CustomerTable(session: session, scopes: scopes)
    ownership = OwnershipTable(session: session)
    events = EventTable(session: session, realm: realm, tally: tally)
    cases = CaseTable(session: session, scopes: scopes)
  }

  /// The same under other rules.
  func with(_ rules: LedgerRules) -> Recorder {
    Recorder(session: session, realm: realm, rules: rules, tally: events.tally)
  }

  /// Stores a delivery with everything that follows from it.
  ///
  /// The same bytes by the same channel change nothing. By another channel they are sighted, and
  /// joined again, since Apple's API proves more than a device does.
  package func record(_ delivery: Delivery) throws(StoreError) -> DeliveryReceipt {
    let known = try facts.find(sha256: delivery.body.sha256)
    if let known, try isRepeated(delivery, known) {
      return DeliveryReceipt(outcome: .repeated, factID: known.id, events: [], customer: nil)
    }
    switch delivery.effect {
    case .applied(let fact): return try apply(fact, of: delivery, known)
    case .held(let fact, let reason):
      let stored = try fact.chains.first.map { (key) throws(StoreError) in
        try chains.findOrMake(key)
      }
      var filing = try self.filing(fact, .held, reason, stored)
      filing.customerID = try stored.flatMap { (stored) throws(StoreError) in
        try concerned(by: fact, about: stored)
      }
      return try keep(delivery, known, filing, .held)
    case .opaque(let scope, let reason):
      var filing = FactTable.Filing(effect: .opaque, reason: reason)
      if let scope { filing.scopeID = try chains.scopes.findOrMake(scope) }
      return try keep(delivery, known, filing, .opaque)
    }
  }

  /// Whether a delivery only says a fact again: not where it can act now and could not before.
  private func isRepeated(
    _ delivery: Delivery, _ known: FactTable.Known
  ) throws(StoreError) -> Bool {
    guard try facts.isSighted(known.id, channel: delivery.channel.rawValue) else { return false }
    switch (known.effect, delivery.effect) {
    case (.held, .applied), (.opaque, .applied), (.opaque, .held): return false
    default: return true
    }
  }

  private func keep(
    _ delivery: Delivery, _ known: FactTable.Known?, _ filing: FactTable.Filing,
    _ outcome: DeliveryReceipt.Outcome
  ) throws(StoreError) -> DeliveryReceipt {
    let id = try store(delivery, known, filing)
    return DeliveryReceipt(outcome: outcome, factID: id, events: [], customer: nil)
  }

  private func apply(
    _ fact: LedgerFact, of delivery: Delivery, _ known: FactTable.Known?
  ) throws(StoreError) -> DeliveryReceipt {
    let concerned = try fact.chains.map { (key) throws(StoreError) in try chains.findOrMake(key) }
    let filing = try self.filing(fact, .applied, nil, concerned.first)
    let fact = filing.isErased ? fact.withoutPerson : fact
    let factID = try store(delivery, known, filing)
    var changes: [ChainChange] = []
    for stored in concerned {
      var change = ChainChange(stored)
      let news = change.after.chain.join(fact)
      guard news.isNews else { continue }
      try chains.write(news, from: change.before, to: change.after)
      changes.append(change)
    }
    try noteSignals(of: fact, by: delivery.channel, at: delivery.receivedAt)
    let cause = Cause(
      fact, id: factID, channel: delivery.channel, receivedAt: delivery.receivedAt)
    let events = try settle(&changes, cause) + followCase(fact, cause)
    return DeliveryReceipt(
      outcome: .stored, factID: factID, events: events, customer: changes.first?.owner,
      alerts: try raise(fact, changes, cause))
  }

  private func filing(
    _ fact: LedgerFact, _ effect: FactTable.Effect, _ reason: String?, _ stored: StoredChain?
  ) throws(StoreError) -> FactTable.Filing {
    FactTable.Filing(
      effect: effect, reason: reason, scopeID: try chains.scopes.findOrMake(fact.scope),
      chainID: stored?.id, date: fact.date, isErased: stored?.isErased ?? false)
  }

  /// Whose timeline shows a fact without effect: who would own its chain if it had one.
  private func concerned(
    by fact: LedgerFact, about known: StoredChain
  ) throws(StoreError) -> Int64? {
    guard known.customerID == nil else { return nil }
    var stored = known
    _ = stored.chain.join(fact)
    return try ownerKey(of: stored).map { (key) throws(StoreError) in
      try customers.findOrMake(key)
    }
  }

  private func store(
    _ delivery: Delivery, _ known: FactTable.Known?, _ filing: FactTable.Filing
  ) throws(StoreError) -> Int64 {
    let id: Int64
    if let known {
      id = known.id
      try facts.refile(id, filing)
    } else {
      id = try add(delivery.body, filing)
    }
    _ = try facts.sight(id, channel: delivery.channel.rawValue, at: delivery.receivedAt)
    if filing.isErased { try facts.forgetBody(of: id) }
    return id
  }

  private func add(
    _ body: Delivery.Body, _ filing: FactTable.Filing
  ) throws(StoreError) -> Int64 {
    switch body {
    case .signed(let record): return try facts.add(record, filing)
    case .reportedStatus(_, let transaction, let renewal):
      let id = try facts.insert(
        kind: "reportedStatus", sha256: body.sha256, payload: body.statusJSON, filing,
        judgedAt: transaction.judgedAt)
      for (place, part) in [transaction, renewal].compactMap({ $0 }).enumerated() {
        let partID = try facts.store(part, FactTable.Filing(effect: .part))
        try facts.linkPart(id, place: Int64(place), partID: partID)
      }
      return id
    }
  }
}

extension Delivery.Body {
  var sha256: [UInt8] {
    switch self {
    case .signed(let record): record.sha256
    case .reportedStatus(_, let transaction, let renewal):
      Fingerprint(hashing: statusJSON + transaction.sha256 + (renewal?.sha256 ?? [])).bytes
    }
  }

  /// What of it nobody signed.
  var statusJSON: [UInt8] {
    guard case .reportedStatus(let status, _, _) = self else { return [] }
    return JSONValue.object([.init("status", .integer(Int64(status.rawValue)))]).json
  }
}
