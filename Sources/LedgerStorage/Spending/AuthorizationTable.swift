import AppStoreModel
import EntitlementLedger

/// Answers of the spend gate, and the holds among them.
struct AuthorizationTable {
  /// An authorization and the rows it hangs on.
  struct Row {
    let id: Int64
    let customerID: Int64
    let scopeID: Int64
    let chainID: Int64?
    /// `nil` where no right was asked for, or nothing was known that gave it.
    let right: Right?
    let authorization: SpendAuthorization
  }

  /// What gave the right that was asked for: a purchase, or a grant by hand.
  struct Right {
    var chainID: Int64?
    var key: ChainKey?
    var transactionId: String?
    var grantId: String?
  }

  let session: any SQLSession
  let customers: CustomerTable

  func find(name: String) throws(StoreError) -> Row? {
    try row(Self.byName, .text(name))
  }

  func find(id: Int64) throws(StoreError) -> Row? {
    try row(Self.byID, .integer(id))
  }

  /// The row again, as it is now.
  func again(_ row: Row) throws(StoreError) -> Row {
    guard let found = try find(id: row.id) else {
      throw .inconsistent(detail: "an authorization is missing")
    }
    return found
  }

  func insert(
    _ authorization: SpendAuthorization, customerID: Int64, scopeID: Int64, chainID: Int64?,
    _ right: Right?
  ) throws(StoreError) -> Int64 {
    let purpose = authorization.purpose
    return try session.insert(
      Self.insertRow,
      [
        .text(authorization.id), .integer(customerID), .integer(scopeID),
        .text(purpose.entitlement), .text(purpose.credits?.unit),
        .integer(purpose.credits?.amount ?? 0), .text(purpose.measure.kind),
        .text(purpose.measure.unit), .integer(purpose.measure.units),
        .integer(purpose.cost.microunits), .text(purpose.cost.currency.code),
        .text(authorization.state.rawValue), .text(authorization.reason),
        .integer(authorization.version), .integer(chainID), .text(authorization.transactionId),
        .flag(authorization.isDegraded), .moment(authorization.decidedAt),
        .moment(authorization.lapsesAt), .integer(right?.chainID), .text(right?.transactionId),
        .text(right?.grantId),
      ])
  }

  func end(
    _ id: Int64, as state: SpendAuthorization.State, at now: Timestamp
  ) throws(StoreError) {
    try session.run(Self.update, [.text(state.rawValue), .moment(now), .integer(id)])
  }

  /// The open holds of a customer, oldest first.
  func open(ofCustomer customerID: Int64) throws(StoreError) -> [Row] {
    try rows(Self.openOfCustomer, [.integer(customerID)])
  }

  func openCount(ofCustomer customerID: Int64) throws(StoreError) -> Int {
    Int(clamping: try session.number(Self.countOfCustomer, [.integer(customerID)]) ?? 0)
  }

  /// Open holds that rest on a chain: charged to it, holding credits of its lots, or on its right.
  func open(onChain chainID: Int64) throws(StoreError) -> [Row] {
    try rows(Self.openOnChain, [.integer(chainID), .integer(chainID), .integer(chainID)])
  }

  /// Holds whose time is over, the longest over first.
  func lapsed(by now: Timestamp, limit: Int) throws(StoreError) -> [Row] {
    try rows(Self.lapsedBy, [.moment(now), .integer(Int64(limit))])
  }

  func nextLapse() throws(StoreError) -> Timestamp? {
    try session.number(Self.firstLapse, []).map { Timestamp(millisecondsSince1970: $0) }
  }

  /// What is held in one currency by open holds of an app and environment, in microunits.
  func held(inScope scopeID: Int64, _ currency: Currency) throws(StoreError) -> Int64 {
    try session.sum(Self.heldInScope, [.integer(scopeID), .text(currency.code)])
  }

  private func rows(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [Row] {
    let ids = try session.rows(statement, values) { (row) throws(StoreError) in
      try row.requiredInteger(0)
    }
    var found: [Row] = []
    for id in ids { if let row = try find(id: id) { found.append(row) } }
    return found
  }

  private func row(_ statement: SQLStatement, _ value: SQLValue) throws(StoreError) -> Row? {
    let head = try session.first(statement, [value]) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredInteger(1))
    }
    guard let (id, customerID) = head else { return nil }
    let customer = try customers.find(id: customerID).key
    let draws = try draws(of: id)
    return try session.first(statement, [value]) { (row) throws(StoreError) in
      Row(
        id: id, customerID: customerID, scopeID: try row.requiredInteger(19),
        chainID: row.integer(20), right: right(from: row, customer.scope),
        authorization: try authorization(from: row, customer, draws))
    }
  }

  private func right(from row: any SQLRow, _ scope: Scope) -> Right? {
    let key = row.text(23).map { ChainKey(scope: scope, originalTransactionId: $0) }
    let grantId = row.text(25)
    guard key != nil || grantId != nil else { return nil }
    return Right(
      chainID: row.integer(22), key: key, transactionId: row.text(24), grantId: grantId)
  }

  /// The credits that a hold was given, lot by lot.
  private func draws(of id: Int64) throws(StoreError) -> [LotDraw] {
    try session.rows(Self.drawsOf, [.integer(id)]) { (row) throws(StoreError) in
      LotDraw(
        originalTransactionId: try row.requiredText(0), transactionId: try row.requiredText(1),
        credits: try row.requiredInteger(2))
    }
  }

  private func authorization(
    from row: any SQLRow, _ customer: CustomerKey, _ draws: [LotDraw]
  ) throws(StoreError) -> SpendAuthorization {
    guard let state = SpendAuthorization.State(rawValue: try row.requiredText(11)) else {
      throw .inconsistent(detail: "an authorization of unknown state")
    }
    return SpendAuthorization(
      id: try row.requiredText(2), customer: customer,
      purpose: try PurposeColumns.purpose(from: row, first: 3),
      state: state, reason: try row.requiredText(12), version: try row.requiredInteger(13),
      originalTransactionId: row.text(14), transactionId: row.text(15), draws: draws,
      isDegraded: row.flag(16), decidedAt: try row.requiredTimestamp(17),
      lapsesAt: row.timestamp(18), endedAt: row.timestamp(21))
  }

  private static let select = """
    SELECT holds.id, holds.customer_id, holds.name, holds.entitlement, holds.credit_unit,
      holds.credits, holds.kind, holds.unit, holds.units, holds.cost_microunits, holds.currency,
      holds.state, holds.reason, holds.version, chains.original_transaction_id,
      holds.transaction_id, holds.is_degraded, holds.decided_at_ms, holds.lapses_at_ms,
      holds.scope_id, holds.chain_id, holds.ended_at_ms, holds.right_chain_id,
      rights.original_transaction_id, holds.right_transaction_id, holds.grant_id
    FROM authorizations AS holds LEFT JOIN chains ON chains.id = holds.chain_id
    LEFT JOIN chains AS rights ON rights.id = holds.right_chain_id
    """
  private static let byName = SQLStatement("\(select) WHERE holds.name = ?")
  private static let byID = SQLStatement("\(select) WHERE holds.id = ?")
  private static let insertRow = SQLStatement(
    """
    INSERT INTO authorizations (name, customer_id, scope_id, entitlement, credit_unit, credits,
      kind, unit, units, cost_microunits, currency, state, reason, version, chain_id,
      transaction_id, is_degraded, decided_at_ms, lapses_at_ms, right_chain_id,
      right_transaction_id, grant_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let update = SQLStatement(
    "UPDATE authorizations SET state = ?, ended_at_ms = ? WHERE id = ?")
  private static let openOfCustomer = SQLStatement(
    "SELECT id FROM authorizations WHERE customer_id = ? AND state = 'open' ORDER BY id")
  private static let countOfCustomer = SQLStatement(
    "SELECT count(*) FROM authorizations WHERE customer_id = ? AND state = 'open'")
  private static let openOnChain = SQLStatement(
    """
    SELECT id FROM authorizations WHERE state = 'open' AND chain_id = ?
    UNION
    SELECT id FROM authorizations WHERE state = 'open' AND right_chain_id = ?
    UNION
    SELECT holds.id FROM credit_lots AS lots
    JOIN hold_lots ON hold_lots.lot_id = lots.id
    JOIN authorizations AS holds ON holds.id = hold_lots.authorization_id
    WHERE holds.state = 'open' AND lots.chain_id = ?
    ORDER BY 1
    """)
  private static let lapsedBy = SQLStatement(
    """
    SELECT id FROM authorizations WHERE state = 'open' AND lapses_at_ms <= ?
    ORDER BY lapses_at_ms, id LIMIT ?
    """)
  private static let firstLapse = SQLStatement(
    "SELECT min(lapses_at_ms) FROM authorizations WHERE state = 'open'")
  private static let heldInScope = SQLStatement(
    """
    SELECT \(AmountColumns.millions(of: "cost_microunits")) FROM authorizations
    WHERE state = 'open' AND scope_id = ? AND currency = ?
    """)
  private static let drawsOf = SQLStatement(
    """
    SELECT chains.original_transaction_id, lots.transaction_id, hold_lots.credits
    FROM hold_lots JOIN credit_lots AS lots ON lots.id = hold_lots.lot_id
    JOIN chains ON chains.id = lots.chain_id
    WHERE hold_lots.authorization_id = ? ORDER BY hold_lots.id
    """)
}

extension AuthorizationTable.Row {
  /// The chains that it rests on.
  var chains: [ChainKey] {
    let scope = authorization.customer.scope
    let charged =
      authorization.draws.map(\.originalTransactionId)
      + [authorization.originalTransactionId].compactMap { $0 }
    let keys = charged.map { ChainKey(scope: scope, originalTransactionId: $0) }
    return Set(keys + [right?.key].compactMap { $0 })
      .sorted { $0.originalTransactionId < $1.originalTransactionId }
  }

  /// The transactions of a chain that it rests on.
  func transactions(of key: ChainKey) -> Set<String> {
    let drawn = authorization.draws.filter {
      $0.originalTransactionId == key.originalTransactionId
    }
    let charged =
      authorization.originalTransactionId == key.originalTransactionId
      ? authorization.transactionId : nil
    let named = right?.key == key ? right?.transactionId : nil
    return Set(drawn.map(\.transactionId) + [charged, named].compactMap { $0 })
  }
}
