package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  var authorizations: AuthorizationTable {
    AuthorizationTable(session: session, customers: customers)
  }
  var spends: SpendTable { SpendTable(session: session, customers: customers) }
  var requestKeys: RequestKeyTable { RequestKeyTable(session: session) }

  /// Everything that was spent in an app and environment, in order of recording.
  package func spendRecords(
    in scope: Scope, after position: Int64 = 0, limit: Int
  ) throws(StoreError) -> [SpendRecord] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try spends.all(inScope: scopeID, after: position, limit: limit)
  }

  /// What was spent on one customer, in order of recording.
  package func spendRecords(
    of customer: CustomerKey, after position: Int64 = 0, limit: Int
  ) throws(StoreError) -> [SpendRecord] {
    guard let row = try customers.find(customer) else { return [] }
    return try spends.all(ofCustomer: row.id, after: position, limit: limit)
  }

  /// What is charged to a chain, or to one transaction of it, in order of recording.
  package func spendRecords(
    chargedTo key: ChainKey, transactionId: String? = nil
  ) throws(StoreError) -> [SpendRecord] {
    guard let chain = try chains.findHeader(key) else { return [] }
    return try spends.all(chargedTo: chain.id, transactionId)
  }

  /// One answer of the gate by its name; `nil` for an unknown one.
  package func authorization(_ id: String) throws(StoreError) -> SpendAuthorization? {
    try authorizations.find(name: id)?.authorization
  }

  /// One answer of the gate as it stands, with what was spent on it; `nil` for an unknown one.
  package func authorizationWithRecord(
    _ id: String, now: Timestamp
  ) throws(StoreError) -> (SpendAuthorization, SpendRecord?)? {
    guard let row = try authorizations.find(name: id) else { return nil }
    return (try present(row, at: now), try spends.settling(row.id))
  }

  /// Holds charged to a chain, or to one transaction of it, that ended before they were spent
  /// because it was taken back.
  package func revokedHolds(
    on key: ChainKey, transactionId: String? = nil
  ) throws(StoreError) -> [SpendAuthorization] {
    guard let chain = try chains.findHeader(key) else { return [] }
    let ids = try session.rows(
      Self.revokedOnChain,
      [
        .integer(chain.id), .text(transactionId), .text(transactionId), .integer(chain.id),
        .text(transactionId), .text(transactionId),
      ]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
    var found: [SpendAuthorization] = []
    for id in ids {
      if let row = try authorizations.find(id: id) { found.append(row.authorization) }
    }
    return found
  }

  private static let revokedOnChain = SQLStatement(
    """
    SELECT id FROM authorizations
    WHERE state = 'revoked' AND chain_id = ? AND (? IS NULL OR transaction_id = ?)
    UNION
    SELECT holds.id FROM credit_lots AS lots
    JOIN hold_lots ON hold_lots.lot_id = lots.id
    JOIN authorizations AS holds ON holds.id = hold_lots.authorization_id
    WHERE holds.state = 'revoked' AND lots.chain_id = ? AND (? IS NULL OR lots.transaction_id = ?)
    ORDER BY 1
    """)
}
