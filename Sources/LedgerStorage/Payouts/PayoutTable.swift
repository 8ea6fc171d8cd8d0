import AppStoreModel
import EntitlementLedger

/// Payouts and how they stand.
struct PayoutTable {
  let session: any SQLSession
  let scopes: ScopeTable

  func find(_ id: String, inScope scopeID: Int64) throws(StoreError) -> Payout? {
    try payouts(Self.byName, [.integer(scopeID), .text(id)]).first
  }

  func all(
    inScope scopeID: Int64, _ state: Payout.State?, after position: Int64, limit: Int
  ) throws(StoreError) -> [Payout] {
    try payouts(
      Self.inScope,
      [
        .integer(scopeID), .integer(position), .text(state?.rawValue), .text(state?.rawValue),
        .integer(Int64(limit)),
      ])
  }

  func all(onChain chainID: Int64) throws(StoreError) -> [Payout] {
    try payouts(Self.onChain, [.integer(chainID)])
  }

  /// Those whose time is over, the longest over first.
  func due(by now: Timestamp, limit: Int) throws(StoreError) -> [Payout] {
    try payouts(Self.dueBy, [.moment(now), .integer(Int64(limit))])
  }

  func nextRelease() throws(StoreError) -> Timestamp? {
    try session.number(Self.firstRelease, []).map { Timestamp(millisecondsSince1970: $0) }
  }

  func insert(
    _ terms: Payout.Terms, scopeID: Int64, chainID: Int64, customerID: Int64?,
    releaseAt: Timestamp, at now: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.insertRow,
      [
        .integer(scopeID), .text(terms.id), .integer(customerID), .integer(chainID),
        .text(terms.transactionId), .text(terms.payee), .integer(terms.cost.microunits),
        .text(terms.cost.currency.code), .moment(now), .moment(releaseAt),
      ])
  }

  func write(
    _ standing: Payout.Standing, recoveredAt: Timestamp?, to position: Int64
  ) throws(StoreError) {
    try session.run(
      Self.update,
      [
        .text(standing.state.rawValue), .moment(standing.revokedAt),
        .integer(standing.refunded), .integer(standing.paid), .moment(standing.paidAt),
        .moment(recoveredAt),
        .integer(position),
      ])
  }

  private func payouts(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [Payout] {
    let heads = try session.rows(statement, values) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredInteger(1))
    }
    var found: [Payout] = []
    for (id, scopeID) in heads {
      guard let scope = try scopes.scope(scopeID) else {
        throw .inconsistent(detail: "a payout of no scope")
      }
      let payout = try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
        try Self.payout(row, id, scope)
      }
      if let payout { found.append(payout) }
    }
    return found
  }

  private static func payout(
    _ row: any SQLRow, _ id: Int64, _ scope: Scope
  ) throws(StoreError) -> Payout {
    let currency = Currency(code: try row.requiredText(6))
    guard let state = Payout.State(rawValue: try row.requiredText(7)),
      let cost = Cost(microunits: try row.requiredInteger(5), currency: currency),
      let refunded = Cost(microunits: try row.requiredInteger(13), currency: currency),
      let paid = Cost(microunits: try row.requiredInteger(14), currency: currency)
    else { throw .inconsistent(detail: "a payout is out of range") }
    let terms = Payout.Terms(
      scope: scope, id: try row.requiredText(0), originalTransactionId: try row.requiredText(2),
      transactionId: try row.requiredText(3), payee: try row.requiredText(4), cost: cost)
    return Payout(
      position: id, terms: terms, state: state, customer: row.text(1).flatMap { CustomerID($0) },
      statedAt: try row.requiredTimestamp(8), releaseAt: try row.requiredTimestamp(9),
      paidAt: row.timestamp(10), recoveredAt: row.timestamp(11), revokedAt: row.timestamp(12),
      refunded: refunded, paid: paid)
  }

  private static let byID = SQLStatement(
    """
    SELECT payouts.name, customers.name, chains.original_transaction_id, payouts.transaction_id,
      payouts.payee, payouts.cost_microunits, payouts.currency, payouts.state,
      payouts.stated_at_ms, payouts.release_at_ms, payouts.paid_at_ms, payouts.recovered_at_ms,
      payouts.revoked_at_ms, payouts.refunded_microunits, payouts.paid_microunits
    FROM payouts JOIN chains ON chains.id = payouts.chain_id
    LEFT JOIN customers ON customers.id = payouts.customer_id WHERE payouts.id = ?
    """)
  private static let byName = SQLStatement(
    "SELECT id, scope_id FROM payouts WHERE scope_id = ? AND name = ?")
  private static let inScope = SQLStatement(
    """
    SELECT id, scope_id FROM payouts
    WHERE scope_id = ? AND id > ? AND (? IS NULL OR state = ?) ORDER BY id LIMIT ?
    """)
  private static let onChain = SQLStatement(
    "SELECT id, scope_id FROM payouts WHERE chain_id = ? ORDER BY id")
  private static let dueBy = SQLStatement(
    """
    SELECT id, scope_id FROM payouts WHERE state = 'held' AND release_at_ms <= ?
    ORDER BY release_at_ms, id LIMIT ?
    """)
  private static let firstRelease = SQLStatement(
    "SELECT min(release_at_ms) FROM payouts WHERE state = 'held'")
  private static let insertRow = SQLStatement(
    """
    INSERT INTO payouts (scope_id, name, customer_id, chain_id, transaction_id, payee,
      cost_microunits, currency, state, stated_at_ms, release_at_ms, refunded_microunits,
      paid_microunits)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'held', ?, ?, 0, 0)
    """)
  private static let update = SQLStatement(
    """
    UPDATE payouts SET state = ?, revoked_at_ms = ?, refunded_microunits = ?,
      paid_microunits = ?, paid_at_ms = ?, recovered_at_ms = ?
    WHERE id = ?
    """)
}
