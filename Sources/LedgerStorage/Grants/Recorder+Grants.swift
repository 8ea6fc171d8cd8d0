package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Gives access by hand.
  ///
  /// - Returns: Whether no grant of that id was made before.
  package func grant(
    _ grant: ManualGrant, in scope: Scope, note: String?, now: Timestamp
  ) throws(StoreError) -> Bool {
    if try session.number(Self.grantNamed, [.text(grant.id)]) != nil { return false }
    let customerID = try customers.findOrMake(CustomerKey(scope: scope, id: grant.customer))
    try session.run(
      Self.insertGrant,
      [
        .integer(customerID), .text(grant.id), .text(grant.entitlement), .moment(grant.from),
        .moment(grant.until), .moment(now),
      ])
    let fact = OwnFact(
      scope: scope, recordedAt: now, note: note, statement: .grant(grant))
    try follow(fact, customerID)
    return true
  }

  /// Takes back access that was given by hand.
  ///
  /// - Returns: Whether there was such a grant, and not taken back.
  package func revokeGrant(
    _ id: String, of customer: CustomerKey, note: String?, now: Timestamp
  ) throws(StoreError) -> Bool {
    guard let row = try customers.find(customer),
      try session.run(Self.revokeGrant, [.moment(now), .text(id), .integer(row.id)]) > 0
    else { return false }
    let fact = OwnFact(
      scope: customer.scope, recordedAt: now, note: note, statement: .grantRevoked(grantId: id))
    try follow(fact, row.id)
    return true
  }

  private func follow(_ fact: OwnFact, _ customerID: Int64) throws(StoreError) {
    let filing = FactTable.Filing(
      effect: .applied, scopeID: try chains.scopes.findOrMake(fact.scope),
      customerID: customerID, date: fact.recordedAt)
    let factID = try facts.store(fact, filing)
    _ = try refresh(customerID, [], Cause(factID: factID, now: fact.recordedAt))
  }

  private static let grantNamed = SQLStatement("SELECT id FROM manual_grants WHERE name = ?")
  private static let insertGrant = SQLStatement(
    """
    INSERT INTO manual_grants
      (customer_id, name, entitlement, begins_at_ms, ends_at_ms, stated_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)
    """)
  private static let revokeGrant = SQLStatement(
    """
    UPDATE manual_grants SET revoked_at_ms = ?
    WHERE name = ? AND customer_id = ? AND revoked_at_ms IS NULL
    """)
}
