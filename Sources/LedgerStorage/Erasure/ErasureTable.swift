import AppStoreModel
import EntitlementLedger

/// The statements that take a person out of what is kept.
struct ErasureTable {
  let session: any SQLSession

  /// From now on nothing that Apple signed tells whose a chain is; what did is let go.
  func take(personFrom chainID: Int64) throws(StoreError) {
    for statement in Self.ofChain { try session.run(statement, [.integer(chainID)]) }
  }

  /// Every statement about what belongs to a customer.
  func letGoOfStatements(_ customerID: Int64) throws(StoreError) {
    for statement in Self.statements { try session.run(statement, [.integer(customerID)]) }
  }

  /// What spend was for, and by what names it was asked; sums, dates and what paid stay.
  func letGoOfSpendDetail(_ customerID: Int64) throws(StoreError) {
    for statement in Self.spendDetail { try session.run(statement, [.integer(customerID)]) }
  }

  /// Bodies of a chain's notifications that wait to be forwarded.
  func letGoOfArrivals(ofChain chainID: Int64) throws(StoreError) {
    for statement in Self.arrivals { try session.run(statement, [.integer(chainID)]) }
  }

  func letGoOfImports(
    of customer: CustomerKey
  ) throws(StoreError) {
    try session.run(
      Self.imports, [.text(customer.id.text), .text(customer.scope.bundleId)])
  }

  /// Gives a customer's row a name that says nothing.
  func rename(
    _ customerID: Int64, to mark: String, by key: String?, at now: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.rename, [.text(mark), .moment(now), .text(key), .integer(customerID)])
  }

  func appTransactionIds(boundTo customerID: Int64) throws(StoreError) -> [String] {
    try texts(Self.bound, customerID)
  }

  func tokens(of customerID: Int64) throws(StoreError) -> [String] {
    try texts(Self.tokens, customerID)
  }

  /// A customer's events with what they say.
  func events(of customerID: Int64) throws(StoreError) -> [(position: Int64, payload: String)] {
    try session.rows(Self.events, [.integer(customerID)]) { (row) throws(StoreError) in
      (position: try row.requiredInteger(0), payload: try row.requiredText(1))
    }
  }

  func write(_ payload: String, to position: Int64) throws(StoreError) {
    try session.run(Self.writeEvent, [.text(payload), .integer(position)])
  }

  private func texts(
    _ statement: SQLStatement, _ customerID: Int64
  ) throws(StoreError) -> [String] {
    try session.rows(statement, [.integer(customerID)]) { (row) throws(StoreError) in
      try row.requiredText(0)
    }
  }

  private static let ofChain =
    ["transactions", "api_copies", "revocations"].map { table in
      SQLStatement(
        "UPDATE \(table) SET account_token = NULL, app_transaction_id = NULL WHERE chain_id = ?")
    }
    + ["renewals", "statuses"].map { table in
      SQLStatement(
        """
        UPDATE \(table) SET renewal_account_token = NULL, renewal_app_transaction_id = NULL
        WHERE chain_id = ?
        """)
    } + [
      SQLStatement(
        """
        UPDATE consumption_requests SET answer_body = NULL, error_text = NULL
        WHERE case_id IN (SELECT id FROM refund_cases WHERE chain_id = ?)
        """),
      SQLStatement("UPDATE chains SET is_erased = 1 WHERE id = ?"),
    ]
  private static let statements =
    [
      // A grant that is asked for again under its key is not given again.
      SQLStatement(
        """
        INSERT INTO erased_grants (name) SELECT name FROM manual_grants WHERE customer_id = ?
        """)
    ]
    + [
      "links", "transfers", "app_transaction_owners", "registered_tokens", "consents",
      "manual_grants",
    ].map { SQLStatement("DELETE FROM \($0) WHERE customer_id = ?") } + [
      SQLStatement("UPDATE customers SET claims_hold_since_ms = NULL WHERE id = ?")
    ]
  private static let spendDetail = [
    """
    UPDATE authorizations SET kind = 'erased', unit = 'erased', units = 0,
      entitlement = CASE WHEN entitlement IS NULL THEN NULL ELSE 'erased' END
    WHERE customer_id = ?
    """,
    """
    UPDATE spends SET kind = 'erased', unit = 'erased', units = 0,
      entitlement = CASE WHEN entitlement IS NULL THEN NULL ELSE 'erased' END
    WHERE customer_id = ?
    """,
    """
    UPDATE running_costs SET name = 'erased:' || id, kind = 'erased', unit = 'erased', units = 0,
      entitlement = CASE WHEN entitlement IS NULL THEN NULL ELSE 'erased' END
    WHERE customer_id = ?
    """,
    "UPDATE credit_debts SET note = NULL WHERE customer_id = ?",
    "UPDATE payouts SET customer_id = NULL WHERE customer_id = ?",
    "DELETE FROM claims WHERE customer_id = ?",
    "DELETE FROM decisions WHERE customer_id = ?",
  ].map { SQLStatement($0) }
  private static let arrivals = [
    """
    DELETE FROM delivery_lanes WHERE arrival_position IN (
      SELECT arrivals.position FROM arrivals JOIN facts ON facts.id = arrivals.fact_id
      WHERE facts.chain_id = ?)
    """,
    """
    DELETE FROM dead_letters WHERE arrival_position IN (
      SELECT arrivals.position FROM arrivals JOIN facts ON facts.id = arrivals.fact_id
      WHERE facts.chain_id = ?)
    """,
    "DELETE FROM arrivals WHERE fact_id IN (SELECT id FROM facts WHERE chain_id = ?)",
  ].map { SQLStatement($0) }
  private static let imports = SQLStatement(
    "DELETE FROM import_rows WHERE customer = ? AND bundle_id = ?")
  private static let rename = SQLStatement(
    """
    UPDATE customers SET name = ?, erased_at_ms = ?, erased_by = ?, due_at_ms = NULL
    WHERE id = ?
    """)
  private static let bound = SQLStatement(
    "SELECT app_transaction_id FROM app_transaction_owners WHERE customer_id = ?")
  private static let tokens = SQLStatement(
    "SELECT account_token FROM registered_tokens WHERE customer_id = ?")
  private static let events = SQLStatement(
    "SELECT position, payload FROM events WHERE customer_id = ? ORDER BY position")
  private static let writeEvent = SQLStatement("UPDATE events SET payload = ? WHERE position = ?")
}
