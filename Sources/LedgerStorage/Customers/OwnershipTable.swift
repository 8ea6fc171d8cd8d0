import AppStoreModel
import EntitlementLedger

/// What our own records say of whose a chain is.
struct OwnershipTable {
  let session: any SQLSession

  func records(
    of stored: StoredChain, _ claim: OwnershipClaim
  ) throws(StoreError) -> Attribution.Records {
    var records = Attribution.Records()
    records.transferredTo = try name(Self.transferOf, [.integer(stored.id)])
    records.linkedTo = try name(Self.linkOf, [.integer(stored.id)])
    if let token = claim.appAccountToken {
      records.tokenOwner = try name(Self.tokenOwner, [.integer(stored.scopeID), .text(token)])
    }
    if let appTransactionId = claim.appTransactionId {
      records.boundTo = try name(
        Self.boundTo, [.integer(stored.scopeID), .text(appTransactionId)])
    }
    if let previous = claim.previousOriginalTransactionId {
      records.predecessorOwner = try name(
        Self.predecessorOwner, [.integer(stored.scopeID), .text(previous)])
    }
    return records
  }

  func setOwner(of chainID: Int64, _ customerID: Int64?) throws(StoreError) {
    try session.run(Self.updateOwner, [.integer(customerID), .integer(chainID)])
  }

  func transfer(_ chainID: Int64, to customerID: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(
      Self.upsertTransfer, [.integer(chainID), .integer(customerID), .moment(now)])
  }

  func link(_ chainID: Int64, to customerID: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(Self.upsertLink, [.integer(chainID), .integer(customerID), .moment(now)])
  }

  /// - Returns: Whether there was such a link.
  func unlink(_ chainID: Int64, from customerID: Int64) throws(StoreError) -> Bool {
    try session.run(Self.deleteLink, [.integer(chainID), .integer(customerID)]) > 0
  }

  func bind(
    _ appTransactionId: String, inScope scopeID: Int64, to customerID: Int64, at now: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.upsertBinding,
      [.integer(scopeID), .text(appTransactionId), .integer(customerID), .moment(now)])
  }

  /// Ends what a link bound, once no other link of the customer's rests on it.
  func unbind(
    _ appTransactionId: String, inScope scopeID: Int64, from customerID: Int64
  ) throws(StoreError) {
    try session.run(
      Self.deleteBinding, [.integer(scopeID), .text(appTransactionId), .integer(customerID)])
  }

  func owner(ofToken token: String, inScope scopeID: Int64) throws(StoreError) -> CustomerID? {
    try name(Self.tokenOwner, [.integer(scopeID), .text(token)])
  }

  func isBound(_ appTransactionId: String, inScope scopeID: Int64) throws(StoreError) -> Bool {
    try customer(boundTo: appTransactionId, inScope: scopeID) != nil
  }

  /// Whose an Apple Account is by a link.
  func customer(
    boundTo appTransactionId: String, inScope scopeID: Int64
  ) throws(StoreError) -> CustomerID? {
    try name(Self.boundTo, [.integer(scopeID), .text(appTransactionId)])
  }

  func register(
    _ token: String, inScope scopeID: Int64, to customerID: Int64, at now: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.upsertToken,
      [.integer(scopeID), .text(token), .integer(customerID), .moment(now)])
  }

  /// Chains whose owner may follow from a token, an Apple Account or a predecessor.
  func chains(
    inScope scopeID: Int64, token: String?, appTransactionId: String?, predecessor: String?
  ) throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    if let token { ids += try chainIDs(Self.byToken, scopeID, token) }
    if let appTransactionId {
      ids += try chainIDs(Self.byAppTransaction, scopeID, appTransactionId)
    }
    if let predecessor { ids += try chainIDs(Self.successors, scopeID, predecessor) }
    return Set(ids).sorted()
  }

  private func chainIDs(
    _ statement: SQLStatement, _ scopeID: Int64, _ text: String
  ) throws(StoreError) -> [Int64] {
    try session.rows(statement, [.text(text), .integer(scopeID)]) { (row) throws(StoreError) in
      try row.requiredInteger(0)
    }
  }

  private func name(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> CustomerID? {
    try session.first(statement, values) { (row) throws(StoreError) in
      CustomerID(try row.requiredText(0))
    } ?? nil
  }

  private static let transferOf = SQLStatement(
    """
    SELECT customers.name FROM transfers JOIN customers ON customers.id = transfers.customer_id
    WHERE transfers.chain_id = ?
    """)
  private static let linkOf = SQLStatement(
    """
    SELECT customers.name FROM links JOIN customers ON customers.id = links.customer_id
    WHERE links.chain_id = ?
    """)
  private static let tokenOwner = SQLStatement(
    """
    SELECT customers.name
    FROM registered_tokens AS tokens JOIN customers ON customers.id = tokens.customer_id
    WHERE tokens.scope_id = ? AND tokens.account_token = ?
    """)
  private static let boundTo = SQLStatement(
    """
    SELECT customers.name
    FROM app_transaction_owners AS owners JOIN customers ON customers.id = owners.customer_id
    WHERE owners.scope_id = ? AND owners.app_transaction_id = ?
    """)
  private static let predecessorOwner = SQLStatement(
    """
    SELECT customers.name FROM chains JOIN customers ON customers.id = chains.customer_id
    WHERE chains.scope_id = ? AND chains.original_transaction_id = ?
    """)
  private static let updateOwner = SQLStatement("UPDATE chains SET customer_id = ? WHERE id = ?")
  private static let upsertTransfer = SQLStatement(
    """
    INSERT INTO transfers (chain_id, customer_id, stated_at_ms) VALUES (?, ?, ?)
    ON CONFLICT (chain_id) DO UPDATE SET
      customer_id = excluded.customer_id, stated_at_ms = excluded.stated_at_ms
    """)
  private static let upsertLink = SQLStatement(
    """
    INSERT INTO links (chain_id, customer_id, stated_at_ms) VALUES (?, ?, ?)
    ON CONFLICT (chain_id) DO UPDATE SET
      customer_id = excluded.customer_id, stated_at_ms = excluded.stated_at_ms
    """)
  private static let deleteLink = SQLStatement(
    "DELETE FROM links WHERE chain_id = ? AND customer_id = ?")
  private static let upsertBinding = SQLStatement(
    """
    INSERT INTO app_transaction_owners (scope_id, app_transaction_id, customer_id, stated_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (scope_id, app_transaction_id) DO UPDATE SET
      customer_id = excluded.customer_id, stated_at_ms = excluded.stated_at_ms
    """)
  private static let deleteBinding = SQLStatement(
    """
    DELETE FROM app_transaction_owners
    WHERE scope_id = ? AND app_transaction_id = ? AND customer_id = ? AND NOT EXISTS (
      SELECT 1 FROM links JOIN transactions ON transactions.chain_id = links.chain_id
      WHERE links.customer_id = app_transaction_owners.customer_id
        AND transactions.app_transaction_id = app_transaction_owners.app_transaction_id)
    """)
  private static let upsertToken = SQLStatement(
    """
    INSERT INTO registered_tokens (scope_id, account_token, customer_id, stated_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (scope_id, account_token) DO UPDATE SET
      customer_id = excluded.customer_id, stated_at_ms = excluded.stated_at_ms
    """)
  private static let byToken = SQLStatement(
    """
    SELECT DISTINCT chains.id FROM transactions JOIN chains ON chains.id = transactions.chain_id
    WHERE transactions.account_token = ? AND chains.scope_id = ?
    """)
  private static let byAppTransaction = SQLStatement(
    """
    SELECT DISTINCT chains.id FROM transactions JOIN chains ON chains.id = transactions.chain_id
    WHERE transactions.app_transaction_id = ? AND chains.scope_id = ?
    """)
  private static let successors = SQLStatement(
    """
    SELECT DISTINCT chains.id FROM transactions JOIN chains ON chains.id = transactions.chain_id
    WHERE transactions.previous_original_transaction_id = ? AND chains.scope_id = ?
    """)
}
