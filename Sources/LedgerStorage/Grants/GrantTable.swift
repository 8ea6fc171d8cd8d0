import AppStoreModel
import EntitlementLedger

/// Access given by hand.
struct GrantTable {
  let session: any SQLSession
  let customers: CustomerTable

  func all(of customer: CustomerTable.Customer) throws(StoreError) -> [StatedGrant] {
    try session.rows(Self.ofCustomer, [.integer(customer.id)]) { (row) throws(StoreError) in
      try grant(row, customer.key.id)
    }
  }

  /// A grant by its id, and whose it is.
  func find(
    _ id: String
  ) throws(StoreError) -> (customer: CustomerTable.Customer, grant: StatedGrant)? {
    guard let owner = try session.number(Self.ownerOf, [.text(id)]) else { return nil }
    let customer = try customers.find(id: owner)
    return try all(of: customer).first { $0.grant.id == id }.map { (customer, $0) }
  }

  /// Whether a grant of this id was an erased customer's.
  func isErased(_ id: String) throws(StoreError) -> Bool {
    try session.number(Self.countErased, [.text(id)]) != 0
  }

  func insert(
    _ grant: ManualGrant, of customerID: Int64, _ statement: GrantStatement
  ) throws(StoreError) {
    try session.run(
      Self.insertGrant,
      [
        .integer(customerID), .text(grant.id), .text(grant.entitlement), .moment(grant.from),
        .moment(grant.until), .moment(statement.at), .text(statement.by),
        .text(statement.reason),
      ])
  }

  /// - Returns: Whether there was such a grant, and not taken back.
  func revoke(
    _ id: String, of customerID: Int64, _ statement: GrantStatement
  ) throws(StoreError) -> Bool {
    try session.run(
      Self.revokeGrant,
      [
        .moment(statement.at), .text(statement.by), .text(statement.reason), .text(id),
        .integer(customerID),
      ]) > 0
  }

  private func grant(_ row: any SQLRow, _ customer: CustomerID) throws(StoreError) -> StatedGrant {
    StatedGrant(
      grant: ManualGrant(
        id: try row.requiredText(0), customer: customer, entitlement: try row.requiredText(1),
        from: try row.requiredTimestamp(2), until: row.timestamp(3), revokedAt: row.timestamp(4)),
      statedAt: try row.requiredTimestamp(5), grantedBy: row.text(6), reason: row.text(7),
      revokedBy: row.text(8), revocationReason: row.text(9))
  }

  private static let ofCustomer = SQLStatement(
    """
    SELECT name, entitlement, begins_at_ms, ends_at_ms, revoked_at_ms, stated_at_ms, granted_by,
      reason, revoked_by, revocation_reason
    FROM manual_grants WHERE customer_id = ? ORDER BY id
    """)
  private static let ownerOf = SQLStatement("SELECT customer_id FROM manual_grants WHERE name = ?")
  private static let countErased = SQLStatement("SELECT count(*) FROM erased_grants WHERE name = ?")
  private static let insertGrant = SQLStatement(
    """
    INSERT INTO manual_grants (customer_id, name, entitlement, begins_at_ms, ends_at_ms,
      stated_at_ms, granted_by, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let revokeGrant = SQLStatement(
    """
    UPDATE manual_grants SET revoked_at_ms = ?, revoked_by = ?, revocation_reason = ?
    WHERE name = ? AND customer_id = ? AND revoked_at_ms IS NULL
    """)
}
