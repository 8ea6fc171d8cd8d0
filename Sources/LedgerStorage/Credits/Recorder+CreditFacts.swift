package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Lets lots and holds follow a changed chain: what it fills, what is taken back, and who has it.
  ///
  /// - Returns: The positions of the events, in order.
  func settleCredits(_ change: ChainChange, _ cause: Cause) throws(StoreError) -> [Int64] {
    try noteRevocations(change, cause)
    var events = try revokeHolds(change, cause)
    events += try followCosts(change, cause) + followPayouts(change, cause)
    let chain = change.after.chain
    let catalog = rules.catalog(chain.key.scope.bundleId)
    guard chain.mayFillBalances(catalog) else { return events }
    let grants = chain.creditGrants(catalog)
    let places = try lots.places(ofChain: change.after.id)
    for place in places where place.customerID != change.after.customerID {
      events += try move(place, to: change.after.customerID, change.after.id, cause)
    }
    for place in places {
      events += try follow(place.id, place.transactionId, place.unit, change.after, cause)
    }
    for grant in grants where !places.contains(where: { $0.transactionId == grant.transactionId }) {
      events += try fill(grant, change.after, cause)
    }
    return events
  }

  /// Has the lots filled, from the first purchase on, of what a changed catalog may give an amount.
  func restartLotFill() throws(StoreError) {
    try session.run(Self.restartFill, [])
  }

  /// Fills the next lots of purchases that a changed catalog gives an amount, chain by chain.
  ///
  /// - Returns: Whether there may be more.
  package func fillLots(limit: Int, now: Timestamp) throws(StoreError) -> Bool {
    guard let place = try session.number(Self.fillPlace, []) else { return false }
    let ids = try session.rows(Self.unfilled, [.integer(place), .integer(Int64(limit))]) {
      (row) throws(StoreError) in try row.requiredInteger(0)
    }
    for id in ids {
      guard let stored = try chains.find(id: id) else { continue }
      _ = try settleCredits(ChainChange(stored), Cause(factID: nil, now: now))
    }
    guard ids.count == limit, let last = ids.last else {
      try session.run(Self.endFill, [])
      return false
    }
    try session.run(Self.advanceFill, [.integer(last)])
    return true
  }

  private func fill(
    _ grant: CreditGrant, _ stored: StoredChain, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    guard let customerID = stored.customerID else { return [] }
    var kept = try open(grant.unit, of: customerID, chainID: stored.id)
    let id = try lots.insert(grant, chainID: stored.id, customerID: customerID)
    kept.book.fill(id, with: grant)
    kept.book.update(id, grant.takenBack, try treatment(of: stored, grant.takenBack))
    return try close(kept, cause)
  }

  /// Applies what stands of a lot's purchase, or undoes what no longer does.
  private func follow(
    _ id: Int64, _ transactionId: String, _ unit: String, _ stored: StoredChain, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    guard let customerID = stored.customerID else { return [] }
    let takenBack = stored.chain.takenBack(transactionId)
    guard try lots.lot(id).takenBack != takenBack else { return [] }
    var kept = try open(unit, of: customerID, chainID: stored.id)
    kept.book.update(id, takenBack, try treatment(of: stored, takenBack))
    return try close(kept, cause)
  }

  private func move(
    _ place: LotTable.Place, to customerID: Int64?, _ chainID: Int64, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    var events: [Int64] = []
    var lot = try lots.lot(place.id)
    if let owner = place.customerID {
      var kept = try open(place.unit, of: owner, chainID: chainID)
      lot = kept.book.giveUp(place.id)
      events += try close(kept, cause)
    }
    guard let customerID else {
      try lots.move(place.id, to: nil)
      try lots.write(lot)
      return events
    }
    // Opened before the lot is the new owner's, since every lot of an owner is in the book.
    var kept = try open(place.unit, of: customerID)
    try lots.move(place.id, to: customerID)
    try lots.write(lot)
    kept.book.adopt(lot)
    return try events + close(kept, cause)
  }

  /// What becomes of credits that were spent before a refund: owed or frozen only where a backend
  /// vouched for the owner, since the token in a purchase is written by whoever bought.
  private func treatment(
    of stored: StoredChain, _ takenBack: CreditGrant.TakenBack?
  ) throws(StoreError) -> PolicyEntry.SpentCredits {
    guard let takenBack else { return .writeOff }
    let claim = try ownershipClaim(of: stored)
    let records = try ownership.records(of: stored, claim)
    guard Attribution(claim, records).isVouchedFor(records) else { return .writeOff }
    return rules.policy(stored.chain.key.scope.bundleId)
      .entry(at: takenBack.key.revocationDate).spentCredits
  }

  /// What becomes of credits that a customer spent beyond the balance.
  func overdraft(
    of customerID: Int64, in scope: Scope, at now: Timestamp
  ) throws(StoreError) -> PolicyEntry.SpentCredits {
    let isKnown =
      try session.number(Self.vouched, [.integer(customerID), .integer(customerID)]) != nil
    let stated = rules.policy(scope.bundleId).entry(at: now).spentCredits
    return isKnown && stated == .debt ? .debt : .writeOff
  }

  private static let unfilled = SQLStatement(
    """
    SELECT DISTINCT transactions.chain_id FROM transactions
    LEFT JOIN credit_lots AS lots ON lots.chain_id = transactions.chain_id
      AND lots.transaction_id = transactions.transaction_id
    WHERE transactions.chain_id > ? AND transactions.type = 'Consumable' AND lots.id IS NULL
    ORDER BY transactions.chain_id LIMIT ?
    """)
  private static let fillPlace = SQLStatement("SELECT after_chain_id FROM lot_fills")
  private static let restartFill = SQLStatement(
    """
    INSERT INTO lot_fills (id, after_chain_id) VALUES (1, 0)
    ON CONFLICT (id) DO UPDATE SET after_chain_id = 0
    """)
  private static let advanceFill = SQLStatement("UPDATE lot_fills SET after_chain_id = ?")
  private static let endFill = SQLStatement("DELETE FROM lot_fills")
  private static let vouched = SQLStatement(
    """
    SELECT 1 FROM registered_tokens WHERE customer_id = ?
    UNION SELECT 1 FROM links WHERE customer_id = ?
    """)
}
