import AppStoreModel

extension FactTable {
  /// Lets go of what a fact says, with what was signed inside it.
  ///
  /// Its hash stays, so that the same bytes are known again, and of its members those that name a
  /// notification or the kind of a statement.
  func forgetBody(of factID: Int64) throws(StoreError) {
    let parts = try session.rows(Self.partsOf, [.integer(factID)]) { (row) throws(StoreError) in
      try row.requiredInteger(0)
    }
    for id in parts + [factID] { try forgetOne(id) }
  }

  func forgetBodies(ofChain chainID: Int64) throws(StoreError) -> Int {
    try forgetBodies(Self.ofChain, [.integer(chainID)])
  }

  /// What was stated about a customer, and held for one.
  func forgetBodies(ofCustomer customerID: Int64) throws(StoreError) -> Int {
    try forgetBodies(Self.ofCustomer, [.integer(customerID)])
  }

  /// Lets go of app transactions of Apple Accounts.
  func forgetAppTransactions(
    _ appTransactionIds: [String], inScope scopeID: Int64
  ) throws(StoreError) -> Int {
    guard !appTransactionIds.isEmpty else { return 0 }
    let found = try session.rows(Self.appTransactions, [.integer(scopeID)]) {
      (row) throws(StoreError) in
      (id: try row.requiredInteger(0), payload: try row.requiredBytes(1))
    }
    let theirs = found.filter { fact in
      let id = (try? JSONValue(json: fact.payload))?["appTransactionId"]?.string
      return id.map(appTransactionIds.contains) ?? false
    }
    for fact in theirs { try forgetOne(fact.id) }
    return theirs.count
  }

  private func forgetBodies(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int {
    let ids = try session.rows(statement, values) { (row) throws(StoreError) in
      try row.requiredInteger(0)
    }
    for id in ids { try forgetBody(of: id) }
    return ids.count
  }

  private func forgetOne(_ id: Int64) throws(StoreError) {
    let payload = try session.first(Self.payloadOf, [.integer(id)]) { (row) throws(StoreError) in
      try row.requiredBytes(0)
    }
    let json = payload.flatMap { try? JSONValue(json: $0) } ?? .object([])
    let kept = ["notificationUUID", "statement"].compactMap { name in
      json[name].map { JSONValue.Member(name, $0) }
    }
    try session.run(Self.forget, [.bytes(JSONValue.object(kept).json), .bytes([]), .integer(id)])
  }

  private static let partsOf = SQLStatement("SELECT part_id FROM fact_parts WHERE fact_id = ?")
  private static let payloadOf = SQLStatement("SELECT payload FROM facts WHERE id = ?")
  private static let forget = SQLStatement(
    """
    UPDATE facts SET payload = ?, signature = CASE WHEN header_id IS NULL THEN NULL ELSE ? END
    WHERE id = ?
    """)
  private static let ofChain = SQLStatement("SELECT id FROM facts WHERE chain_id = ?")
  private static let ofCustomer = SQLStatement("SELECT id FROM facts WHERE customer_id = ?")
  private static let appTransactions = SQLStatement(
    "SELECT id, payload FROM facts WHERE kind = 'appTransaction' AND scope_id = ?")
}
