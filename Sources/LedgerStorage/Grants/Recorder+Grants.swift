import AppStoreModel
package import EntitlementLedger

extension Recorder {
  var grants: GrantTable { GrantTable(session: session, customers: customers) }

  /// Gives access by hand; saying the same under the same id again changes nothing.
  package func grant(
    _ grant: ManualGrant, in scope: Scope, _ statement: GrantStatement
  ) throws(StoreError) -> GrantOutcome {
    if let known = try grants.find(grant.id) {
      let isSame = known.customer.key == CustomerKey(scope: scope, id: grant.customer)
      return isSame && known.grant.says(grant, statement.reason)
        ? .repeated(known.grant) : .conflict
    }
    if try grants.isErased(grant.id) { return .conflict }
    let customerID = try customers.findOrMake(CustomerKey(scope: scope, id: grant.customer))
    try grants.insert(grant, of: customerID, statement)
    try follow(.grant(grant), statement, in: scope, customerID)
    guard let made = try grants.find(grant.id) else {
      throw .inconsistent(detail: "a grant is missing")
    }
    return .granted(made.grant)
  }

  /// Takes back access that was given by hand.
  ///
  /// - Returns: Whether there was such a grant, and not taken back.
  package func revokeGrant(
    _ id: String, of customer: CustomerKey, _ statement: GrantStatement
  ) throws(StoreError) -> Bool {
    guard let row = try customers.find(customer), try grants.revoke(id, of: row.id, statement)
    else { return false }
    let cause = try follow(.grantRevoked(grantId: id), statement, in: customer.scope, row.id)
    try revokeHolds(ofCustomer: row.id, onGrant: id, cause)
    return true
  }

  /// All grants ever made to a customer, in order.
  package func grants(of customer: CustomerKey) throws(StoreError) -> [StatedGrant] {
    guard let row = try customers.find(customer) else { return [] }
    return try grants.all(of: row)
  }

  @discardableResult
  private func follow(
    _ said: OwnFact.Statement, _ statement: GrantStatement, in scope: Scope, _ customerID: Int64
  ) throws(StoreError) -> Cause {
    let fact = OwnFact(
      scope: scope, recordedAt: statement.at, recordedBy: statement.by, note: statement.reason,
      statement: said)
    let filing = FactTable.Filing(
      effect: .applied, scopeID: try chains.scopes.findOrMake(scope), customerID: customerID,
      date: fact.recordedAt)
    let factID = try facts.store(fact, filing)
    let cause = Cause(fact, id: factID)
    _ = try refresh(customerID, [], cause)
    return cause
  }
}

extension StatedGrant {
  /// Whether a request asks for this very grant: a repeat is made later, so its beginning is not
  /// compared.
  fileprivate func says(_ other: ManualGrant, _ reason: String?) -> Bool {
    grant.entitlement == other.entitlement && grant.until == other.until && self.reason == reason
  }
}
