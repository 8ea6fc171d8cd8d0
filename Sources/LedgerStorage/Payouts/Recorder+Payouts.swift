package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  var payouts: PayoutTable { PayoutTable(session: session, scopes: chains.scopes) }

  /// States a payout that a purchase funds; stating the same again changes nothing.
  ///
  /// It waits for `window` from its purchase on.
  package func state(
    _ terms: Payout.Terms, window: TimeSpan, now: Timestamp
  ) throws(StoreError) -> PayoutOutcome {
    let scopeID = try chains.scopes.findOrMake(terms.scope)
    if let known = try payouts.find(terms.id, inScope: scopeID) {
      return known.terms == terms ? .done(known) : .conflict
    }
    let key = ChainKey(scope: terms.scope, originalTransactionId: terms.originalTransactionId)
    guard let stored = try chains.find(key),
      let bought = stored.chain.transactions[terms.transactionId]?.newest.purchaseDate
    else { return .unknownPurchase }
    try payouts.insert(
      terms, scopeID: scopeID, chainID: stored.id, customerID: stored.customerID,
      releaseAt: bought.adding(window), at: now)
    guard let made = try payouts.find(terms.id, inScope: scopeID) else {
      throw .inconsistent(detail: "a payout is missing")
    }
    _ = try follow(made, stored.chain, Cause(factID: nil, now: now))
    _ = try releasePayouts(at: now, limit: 1)
    return .done(try payouts.find(terms.id, inScope: scopeID) ?? made)
  }

  /// Notes that what is outstanding of a payout was paid, or got back; noting it again changes nothing.
  package func mark(
    _ id: String, in scope: Scope, _ state: Payout.State, now: Timestamp
  ) throws(StoreError) -> PayoutOutcome {
    guard let scopeID = try chains.scopes.find(scope),
      let payout = try payouts.find(id, inScope: scopeID)
    else { return .unknownPayout }
    if payout.state == state { return .done(payout) }
    var standing = payout.standing
    standing.state = state
    standing.paid = payout.due.microunits
    switch (payout.state, state) {
    case (.payable, .paid): standing.paidAt = now
    case (.clawBack, .recovered): break
    default: return .refused(payout.state)
    }
    try payouts.write(
      standing, recoveredAt: state == .recovered ? now : payout.recoveredAt, to: payout.position)
    return .done(try payouts.find(id, inScope: scopeID) ?? payout)
  }

  /// Payouts of an app and environment, in order of stating.
  package func payouts(
    in scope: Scope, _ state: Payout.State?, after position: Int64, limit: Int
  ) throws(StoreError) -> [Payout] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try payouts.all(inScope: scopeID, state, after: position, limit: limit)
  }

  /// Lets payouts follow what stands of their purchases.
  ///
  /// - Returns: The positions of the events, in order.
  func followPayouts(_ change: ChainChange, _ cause: Cause) throws(StoreError) -> [Int64] {
    let chain = change.after.chain
    guard !chain.revocations.isEmpty || !chain.undatedRevocations.isEmpty else { return [] }
    var events: [Int64] = []
    for payout in try payouts.all(onChain: change.after.id) {
      events += try follow(payout, chain, cause)
    }
    return events
  }

  /// Lets those go whose time is over.
  ///
  /// - Returns: The positions of the events, in order.
  func releasePayouts(at now: Timestamp, limit: Int) throws(StoreError) -> [Int64] {
    try payouts.due(by: now, limit: limit).map { (payout) throws(StoreError) in
      var standing = payout.standing
      standing.state = .payable
      try payouts.write(standing, recoveredAt: payout.recoveredAt, to: payout.position)
      return try tell(payout, Cause(factID: nil, now: now))
    }
  }

  private func follow(
    _ payout: Payout, _ chain: Chain, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    let standing = payout.following(
      chain.takenBack(payout.terms.transactionId), at: cause.now)
    guard standing != payout.standing else { return [] }
    try payouts.write(standing, recoveredAt: payout.recoveredAt, to: payout.position)
    return [try tell(payout, cause)]
  }

  private func tell(_ payout: Payout, _ cause: Cause) throws(StoreError) -> Int64 {
    let scopeID = try chains.scopes.findOrMake(payout.terms.scope)
    guard let now = try payouts.find(payout.terms.id, inScope: scopeID) else {
      throw .inconsistent(detail: "a payout is missing")
    }
    let owner = try payout.customer.flatMap { (id) throws(StoreError) in
      try customers.find(CustomerKey(scope: payout.terms.scope, id: id))?.id
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("payout")
      writer.payout(now)
    }
    return try events.append(
      type: .payoutChanged, payload: writer.bytes, customerID: owner, scopeID: scopeID,
      version: try owner.map { (id) throws(StoreError) in try nextVersion(of: id) } ?? 0, cause)
  }
}

extension JSONWriter {
  package mutating func payout(_ payout: Payout) {
    object { writer in
      writer.member("id", payout.terms.id)
      writer.member("position", payout.position)
      writer.member("state", payout.state.rawValue)
      writer.member("customer", payout.customer?.text)
      writer.member("originalTransactionId", payout.terms.originalTransactionId)
      writer.member("transactionId", payout.terms.transactionId)
      writer.member("payee", payout.terms.payee)
      writer.cost("amount", payout.terms.cost)
      writer.cost("due", payout.due)
      writer.cost("refunded", payout.refunded)
      writer.cost("paid", payout.paid)
      writer.cost("outstanding", payout.outstanding)
      writer.member("statedAtMs", payout.statedAt.millisecondsSince1970)
      writer.member("releaseAtMs", payout.releaseAt.millisecondsSince1970)
      writer.member("paidAtMs", payout.paidAt?.millisecondsSince1970)
      writer.member("recoveredAtMs", payout.recoveredAt?.millisecondsSince1970)
      writer.member("revokedAtMs", payout.revokedAt?.millisecondsSince1970)
    }
  }
}
