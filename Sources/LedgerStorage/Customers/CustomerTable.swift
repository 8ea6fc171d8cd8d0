import AppStoreModel
import EntitlementLedger

/// Customers, their versions and their answers as they were last told.
struct CustomerTable {
  /// A customer's row.
  struct Customer: Hashable {
    let id: Int64
    let key: CustomerKey
    let version: Int64
    /// The earliest later moment at which the answer changes without a fact.
    let dueAt: Timestamp?
    /// From when on the stored claims of the customer's chains hold; `nil` where none can be
    /// relied on, since there are none or other rules made them.
    let claimsHoldSince: Timestamp?
  }

  let session: any SQLSession
  let scopes: ScopeTable

  func find(_ key: CustomerKey) throws(StoreError) -> Customer? {
    guard let scopeID = try scopes.find(key.scope) else { return nil }
    return try session.first(Self.byName, [.integer(scopeID), .text(key.id.text)]) {
      (row) throws(StoreError) in
      Customer(
        id: try row.requiredInteger(0), key: key, version: try row.requiredInteger(1),
        dueAt: row.timestamp(2), claimsHoldSince: row.timestamp(3))
    }
  }

  func findOrMake(_ key: CustomerKey) throws(StoreError) -> Int64 {
    if let known = try find(key) { return known.id }
    let scopeID = try scopes.findOrMake(key.scope)
    return try session.insert(
      Self.insert, [.integer(scopeID), .text(key.id.text), .integer(scopeID)])
  }

  func find(id: Int64) throws(StoreError) -> Customer {
    let row = try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
      (
        try row.requiredInteger(0), try row.requiredText(1), try row.requiredInteger(2),
        row.timestamp(3), row.timestamp(4)
      )
    }
    guard let row, let scope = try scopes.scope(row.0), let name = CustomerID(row.1) else {
      throw .inconsistent(detail: "a customer is missing")
    }
    return Customer(
      id: id, key: CustomerKey(scope: scope, id: name), version: row.2, dueAt: row.3,
      claimsHoldSince: row.4)
  }

  func decisions(of customer: Customer) throws(StoreError) -> [Decision] {
    try session.rows(Self.decisionsOf, [.integer(customer.id)]) { (row) throws(StoreError) in
      try DecisionColumns.decision(from: row, in: customer.key.scope)
    }
  }

  /// The decision about one entitlement, where one was written.
  func decision(
    on entitlement: String, of customer: Customer
  ) throws(StoreError) -> Decision? {
    try session.first(Self.decisionOn, [.integer(customer.id), .text(entitlement)]) {
      (row) throws(StoreError) in
      try DecisionColumns.decision(from: row, in: customer.key.scope)
    }
  }

  /// Writes what is different of a customer's row.
  func update(
    _ customer: Customer, version: Int64, dueAt: Timestamp?, claimsHoldSince: Timestamp
  ) throws(StoreError) {
    guard
      version != customer.version || dueAt != customer.dueAt
        || claimsHoldSince != customer.claimsHoldSince
    else { return }
    try session.run(
      Self.updateRow,
      [.integer(version), .moment(dueAt), .moment(claimsHoldSince), .integer(customer.id)])
  }

  /// Counts news that no decision shows, as of balances and holds.
  func write(version: Int64, of id: Int64) throws(StoreError) {
    try session.run(Self.updateVersion, [.integer(version), .integer(id)])
  }

  func write(_ decision: Decision, of id: Int64, version: Int64) throws(StoreError) {
    try session.run(
      Self.upsertDecision,
      [.integer(id), .integer(version)] + DecisionColumns.values(of: decision))
  }

  func remove(_ entitlement: String, of id: Int64) throws(StoreError) {
    try session.run(Self.deleteDecision, [.integer(id), .text(entitlement)])
  }

  /// Those whose answer may have changed by `now`, the longest due first.
  func due(by now: Timestamp, limit: Int) throws(StoreError) -> [Int64] {
    try session.rows(Self.dueBy, [.moment(now), .integer(Int64(limit))]) {
      (row) throws(StoreError) in try row.requiredInteger(0)
    }
  }

  func nextDue() throws(StoreError) -> Timestamp? {
    try session.number(Self.firstDue, []).map { Timestamp(millisecondsSince1970: $0) }
  }

  /// Makes every answer due, because what they were made by has changed.
  func makeAllDue(at now: Timestamp) throws(StoreError) {
    try session.run(Self.allDue, [.moment(now)])
  }

  /// The same for the customers of an app.
  func makeDue(in bundleId: String, at now: Timestamp) throws(StoreError) {
    try session.run(Self.dueInApp, [.moment(now), .text(bundleId)])
  }

  /// The same for those of them who bought a product.
  func makeDue(
    buying productId: String, in bundleId: String, at now: Timestamp
  ) throws(StoreError) {
    try session.run(Self.dueBuyers, [.moment(now), .text(bundleId), .text(productId)])
  }

  private static let byName = SQLStatement(
    """
    SELECT id, version, due_at_ms, claims_hold_since_ms FROM customers
    WHERE scope_id = ? AND name = ?
    """)
  private static let byID = SQLStatement(
    "SELECT scope_id, name, version, due_at_ms, claims_hold_since_ms FROM customers WHERE id = ?")
  /// One who comes back after an erasure, or was known only after the backup that was put back, goes
  /// on above every version that was told before.
  private static let insert = SQLStatement(
    """
    INSERT INTO customers (scope_id, name, version) VALUES (?, ?, (
      SELECT max(told.version) FROM (
        SELECT max(version) AS version FROM customers
        WHERE scope_id = ? AND erased_at_ms IS NOT NULL
        UNION ALL SELECT version_floor FROM store_identity) AS told))
    """)
  private static let decisionsOf = SQLStatement(
    "SELECT \(DecisionColumns.names) FROM decisions WHERE customer_id = ? ORDER BY entitlement")
  private static let decisionOn = SQLStatement(
    """
    SELECT \(DecisionColumns.names) FROM decisions WHERE customer_id = ? AND entitlement = ?
    """)
  private static let updateRow = SQLStatement(
    "UPDATE customers SET version = ?, due_at_ms = ?, claims_hold_since_ms = ? WHERE id = ?")
  private static let updateVersion = SQLStatement(
    "UPDATE customers SET version = ? WHERE id = ?")
  private static let upsertDecision = SQLStatement(
    """
    INSERT INTO decisions (customer_id, version, \(DecisionColumns.names))
    VALUES (?, ?, \(DecisionColumns.marks))
    ON CONFLICT (customer_id, entitlement) DO UPDATE SET
      version = excluded.version, \(DecisionColumns.updates)
    """)
  private static let deleteDecision = SQLStatement(
    "DELETE FROM decisions WHERE customer_id = ? AND entitlement = ?")
  private static let dueBy = SQLStatement(
    "SELECT id FROM customers WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?")
  private static let firstDue = SQLStatement(
    "SELECT due_at_ms FROM customers WHERE due_at_ms IS NOT NULL ORDER BY due_at_ms LIMIT 1")
  private static let dueInApp = SQLStatement(
    """
    UPDATE customers SET due_at_ms = ?, claims_hold_since_ms = NULL
    WHERE erased_at_ms IS NULL AND scope_id IN (SELECT id FROM scopes WHERE bundle_id = ?)
    """)
  private static let dueBuyers = SQLStatement(
    """
    UPDATE customers SET due_at_ms = ?, claims_hold_since_ms = NULL
    WHERE id IN (
      SELECT chains.customer_id FROM scopes JOIN chains ON chains.scope_id = scopes.id
      JOIN transactions ON transactions.chain_id = chains.id
      WHERE scopes.bundle_id = ? AND transactions.product_id = ?)
    """)
  private static let allDue = SQLStatement(
    "UPDATE customers SET due_at_ms = ?, claims_hold_since_ms = NULL")
}
