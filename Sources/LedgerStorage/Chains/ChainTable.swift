package import AppStoreModel
package import EntitlementLedger

/// Reads chains from a store.
package struct ChainTable {
  let session: any SQLSession
  let scopes: ScopeTable

  package init(session: any SQLSession, realm: Realm) {
    self.init(session: session, scopes: ScopeTable(session: session, realm: realm))
  }

  init(session: any SQLSession, scopes: ScopeTable) {
    self.session = session
    self.scopes = scopes
  }

  /// The chain as it is stored; `nil` for one that no fact has named.
  package func find(_ key: ChainKey) throws(StoreError) -> StoredChain? {
    try findHeader(key).map { (stored) throws(StoreError) in try filled(stored) }
  }

  /// Where a chain is kept, without its records.
  func findHeader(_ key: ChainKey) throws(StoreError) -> StoredChain? {
    guard let scopeID = try scopes.find(key.scope) else { return nil }
    return try session.first(
      Self.byKey, [.integer(scopeID), .text(key.originalTransactionId)]
    ) { (row) throws(StoreError) in
      try header(row, key.scope)
    }
  }

  /// The chain as it is stored, or a new one.
  package func findOrMake(_ key: ChainKey) throws(StoreError) -> StoredChain {
    if let known = try find(key) { return known }
    let scopeID = try scopes.findOrMake(key.scope)
    let id = try session.insert(
      Self.insert, [.integer(scopeID), .text(key.originalTransactionId)])
    return StoredChain(
      id: id, scopeID: scopeID, customerID: nil, holdsUntil: nil, changesAt: nil,
      isErased: false, chain: Chain(key: key))
  }

  /// All chains of one customer, oldest first.
  package func all(
    ofCustomer customerID: Int64, in scope: Scope
  ) throws(StoreError) -> [StoredChain] {
    let found = try session.rows(Self.byCustomer, [.integer(customerID)]) {
      (row) throws(StoreError) in try header(row, scope)
    }
    return try found.map { (stored) throws(StoreError) in try filled(stored) }
  }

  /// Reads every chain, oldest first, holding one at a time.
  package func forEach(
    _ body: (StoredChain) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last: Int64 = 0
    while let id = try session.number(Self.after, [.integer(last)]) {
      if let stored = try find(id: id) { try body(stored) }
      last = id
    }
  }

  package func find(id: Int64) throws(StoreError) -> StoredChain? {
    guard let scopeID = try session.number(Self.scopeOf, [.integer(id)]),
      let scope = try scopes.scope(scopeID)
    else { return nil }
    let stored = try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
      try header(row, scope)
    }
    return try stored.map { (stored) throws(StoreError) in try filled(stored) }
  }

  private func header(_ row: any SQLRow, _ scope: Scope) throws(StoreError) -> StoredChain {
    let key = ChainKey(scope: scope, originalTransactionId: try row.requiredText(3))
    var chain = Chain(key: key)
    chain.succeededAt = row.timestamp(4)
    chain.renewalIsContested = row.flag(5)
    return StoredChain(
      id: try row.requiredInteger(0), scopeID: try row.requiredInteger(1),
      customerID: row.integer(2), holdsUntil: row.timestamp(6), changesAt: row.timestamp(7),
      isErased: row.flag(8), chain: chain)
  }

  private static let columns = """
    id, scope_id, customer_id, original_transaction_id, succeeded_at_ms, renewal_is_contested,
    holds_until_ms, changes_at_ms, is_erased
    """
  private static let byKey = SQLStatement(
    "SELECT \(columns) FROM chains WHERE scope_id = ? AND original_transaction_id = ?")
  private static let byCustomer = SQLStatement(
    "SELECT \(columns) FROM chains WHERE customer_id = ? ORDER BY id")
  private static let byID = SQLStatement("SELECT \(columns) FROM chains WHERE id = ?")
  private static let scopeOf = SQLStatement("SELECT scope_id FROM chains WHERE id = ?")
  private static let after = SQLStatement("SELECT id FROM chains WHERE id > ? ORDER BY id LIMIT 1")
  private static let insert = SQLStatement(
    "INSERT INTO chains (scope_id, original_transaction_id) VALUES (?, ?)")
}
