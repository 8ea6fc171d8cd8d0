import AppStoreModel
import EntitlementLedger

/// Authorizations, what was spent on them, and the keys that make them safe to repeat.
struct SpendTable {
  /// An authorization and the rows it hangs on.
  struct Row {
    let id: Int64
    let customerID: Int64
    let authorization: SpendAuthorization
  }

  let session: any SQLSession
  let customers: CustomerTable

  func find(name: String) throws(StoreError) -> Row? {
    try row(Self.byName, .text(name))
  }

  /// The request that was made under a key before, and the SHA-256 of its body.
  func used(
    _ key: SpendRequest.Idempotency
  ) throws(StoreError) -> (sha256: [UInt8], row: Row)? {
    let found = try session.first(Self.key, [.text(key.caller), .text(key.key)]) {
      (row) throws(StoreError) in (try row.requiredBytes(0), try row.requiredInteger(1))
    }
    guard let found, let row = try row(Self.byID, .integer(found.1)) else { return nil }
    return (found.0, row)
  }

  func insert(
    _ authorization: SpendAuthorization, customerID: Int64, chainID: Int64?,
    _ idempotency: SpendRequest.Idempotency?
  ) throws(StoreError) {
    let id = try session.insert(
      Self.insertAuthorization,
      [
        .text(authorization.id), .integer(customerID), .text(authorization.entitlement),
        .integer(authorization.amount.milliunits), .text(authorization.amount.currency.code),
        .text(authorization.state.rawValue), .text(authorization.reason),
        .integer(authorization.version), .integer(chainID),
        .text(authorization.transactionId), .moment(authorization.decidedAt),
        .moment(authorization.lapsesAt),
      ])
    guard let idempotency else { return }
    try session.run(
      Self.insertKey,
      [
        .text(idempotency.caller), .text(idempotency.key), .bytes(idempotency.requestSHA256),
        .integer(id), .moment(authorization.decidedAt),
      ])
  }

  func set(_ state: SpendAuthorization.State, of id: Int64) throws(StoreError) {
    try session.run(Self.updateState, [.text(state.rawValue), .integer(id)])
  }

  func insert(_ record: SpendRecord, on row: Row) throws(StoreError) {
    try session.run(
      Self.insertRecord,
      [
        .integer(row.id), .integer(row.customerID), .text(row.authorization.transactionId),
        .integer(record.amount.milliunits), .text(record.amount.currency.code),
        .flag(record.isAboveHold), .text(record.lateness?.rawValue), .moment(record.spentAt),
      ])
  }

  func record(on id: Int64) throws(StoreError) -> SpendRecord? {
    try session.first(Self.recordOf, [.integer(id)]) { (row) throws(StoreError) in
      SpendRecord(
        amount: Money(
          milliunits: try row.requiredInteger(0),
          currency: Currency(code: try row.requiredText(1))),
        isAboveHold: row.flag(2),
        lateness: row.text(3).flatMap { SpendRecord.Lateness(rawValue: $0) },
        spentAt: try row.requiredTimestamp(4))
    }
  }

  private func row(_ statement: SQLStatement, _ value: SQLValue) throws(StoreError) -> Row? {
    let customerID = try session.first(statement, [value]) { (row) throws(StoreError) in
      try row.requiredInteger(1)
    }
    guard let customerID else { return nil }
    let customer = try customers.find(id: customerID).key
    return try session.first(statement, [value]) { (row) throws(StoreError) in
      Row(
        id: try row.requiredInteger(0), customerID: customerID,
        authorization: try authorization(from: row, customer))
    }
  }

  private func authorization(
    from row: any SQLRow, _ customer: CustomerKey
  ) throws(StoreError) -> SpendAuthorization {
    guard let state = SpendAuthorization.State(rawValue: try row.requiredText(6)) else {
      throw .inconsistent(detail: "an authorization of unknown state")
    }
    return SpendAuthorization(
      id: try row.requiredText(2), customer: customer, entitlement: try row.requiredText(3),
      amount: Money(
        milliunits: try row.requiredInteger(4),
        currency: Currency(code: try row.requiredText(5))),
      state: state, reason: try row.requiredText(7), version: try row.requiredInteger(8),
      originalTransactionId: row.text(12), transactionId: row.text(9),
      decidedAt: try row.requiredTimestamp(10), lapsesAt: row.timestamp(11))
  }

  private static let select = """
    SELECT spends.id, spends.customer_id, spends.name, spends.entitlement,
      spends.amount_milliunits, spends.currency, spends.state, spends.reason, spends.version,
      spends.transaction_id, spends.decided_at_ms, spends.lapses_at_ms,
      chains.original_transaction_id
    FROM spend_authorizations AS spends LEFT JOIN chains ON chains.id = spends.chain_id
    """
  private static let byName = SQLStatement("\(select) WHERE spends.name = ?")
  private static let byID = SQLStatement("\(select) WHERE spends.id = ?")
  private static let key = SQLStatement(
    """
    SELECT request_sha256, authorization_id FROM idempotency_keys WHERE caller = ? AND name = ?
    """)
  private static let insertAuthorization = SQLStatement(
    """
    INSERT INTO spend_authorizations (name, customer_id, entitlement, amount_milliunits, currency,
      state, reason, version, chain_id, transaction_id, decided_at_ms, lapses_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let insertKey = SQLStatement(
    """
    INSERT INTO idempotency_keys (caller, name, request_sha256, authorization_id, used_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let updateState = SQLStatement(
    "UPDATE spend_authorizations SET state = ? WHERE id = ?")
  private static let insertRecord = SQLStatement(
    """
    INSERT INTO spend_records (authorization_id, customer_id, transaction_id, amount_milliunits,
      currency, above_hold, lateness, spent_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let recordOf = SQLStatement(
    """
    SELECT amount_milliunits, currency, above_hold, lateness, spent_at_ms
    FROM spend_records WHERE authorization_id = ?
    """)
}
