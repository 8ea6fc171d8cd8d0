import AppStoreModel
import EntitlementLedger

/// Costs that recur.
struct RunningCostTable {
  struct Row {
    let id: Int64
    let customerID: Int64
    let scopeID: Int64
    let chainID: Int64?
    let cost: RunningCost
  }

  let session: any SQLSession
  let customers: CustomerTable

  func find(_ name: String, ofCustomer customerID: Int64) throws(StoreError) -> Row? {
    try rows(Self.byName, [.integer(customerID), .text(name)]).first
  }

  func all(ofCustomer customerID: Int64) throws(StoreError) -> [Row] {
    try rows(Self.ofCustomer, [.integer(customerID)])
  }

  func running(ofCustomer customerID: Int64) throws(StoreError) -> [Row] {
    try all(ofCustomer: customerID).filter { $0.cost.dueAt != nil }
  }

  /// Those whose period is over, the longest over first.
  func due(by now: Timestamp, limit: Int) throws(StoreError) -> [Row] {
    try rows(Self.dueBy, [.moment(now), .integer(Int64(limit))])
  }

  func nextDue() throws(StoreError) -> Timestamp? {
    try session.number(Self.firstDue, []).map { Timestamp(millisecondsSince1970: $0) }
  }

  func insert(
    _ terms: RunningCost.Terms, customerID: Int64, scopeID: Int64, chainID: Int64?,
    at now: Timestamp
  ) throws(StoreError) {
    var entitlement: String?
    if case .entitlement(let name) = terms.basis { entitlement = name }
    try session.run(
      Self.upsert,
      [
        .integer(customerID), .integer(scopeID), .text(terms.name), .text(entitlement),
        .integer(chainID), .text(terms.measure.kind), .text(terms.measure.unit),
        .integer(terms.measure.units), .integer(terms.cost.microunits),
        .text(terms.cost.currency.code), .integer(terms.period.milliseconds),
        .text(terms.onRevocation.rawValue), .moment(now), .moment(now),
        .moment(now.adding(terms.period)),
      ])
  }

  func write(
    _ id: Int64, _ state: RunningCost.State, accruedUntil: Timestamp, dueAt: Timestamp?,
    endedAt: Timestamp?
  ) throws(StoreError) {
    try session.run(
      Self.update,
      [
        .text(state.rawValue), .moment(accruedUntil), .moment(dueAt), .moment(endedAt),
        .integer(id),
      ])
  }

  private func rows(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [Row] {
    let heads = try session.rows(statement, values) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredInteger(1))
    }
    var found: [Row] = []
    for (id, customerID) in heads {
      let customer = try customers.find(id: customerID).key
      let row = try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
        try Self.row(row, customer)
      }
      if let row { found.append(row) }
    }
    return found
  }

  private static func row(
    _ row: any SQLRow, _ customer: CustomerKey
  ) throws(StoreError) -> Row {
    guard let state = RunningCost.State(rawValue: try row.requiredText(14)),
      let onRevocation = RunningCost.OnRevocation(rawValue: try row.requiredText(13)),
      let cost = Cost(
        microunits: try row.requiredInteger(10),
        currency: Currency(code: try row.requiredText(11)))
    else { throw .inconsistent(detail: "a running cost is out of range") }
    let basis: RunningCost.Basis
    if let entitlement = row.text(4) {
      basis = .entitlement(entitlement)
    } else {
      basis = .purchase(originalTransactionId: try row.requiredText(6))
    }
    let terms = RunningCost.Terms(
      customer: customer, name: try row.requiredText(3), basis: basis,
      measure: SpendMeasure(
        kind: try row.requiredText(7), unit: try row.requiredText(8),
        units: try row.requiredInteger(9)),
      cost: cost, period: TimeSpan(milliseconds: try row.requiredInteger(12)),
      onRevocation: onRevocation)
    return Row(
      id: try row.requiredInteger(0), customerID: try row.requiredInteger(1),
      scopeID: try row.requiredInteger(2), chainID: row.integer(5),
      cost: RunningCost(
        terms: terms, state: state, begunAt: try row.requiredTimestamp(15),
        accruedUntil: try row.requiredTimestamp(16), dueAt: row.timestamp(17),
        endedAt: row.timestamp(18)))
  }

  private static let byID = SQLStatement(
    """
    SELECT costs.id, costs.customer_id, costs.scope_id, costs.name, costs.entitlement,
      costs.chain_id, chains.original_transaction_id, costs.kind, costs.unit, costs.units,
      costs.cost_microunits, costs.currency, costs.period_ms, costs.on_revocation, costs.state,
      costs.begun_at_ms, costs.accrued_until_ms, costs.due_at_ms, costs.ended_at_ms
    FROM running_costs AS costs LEFT JOIN chains ON chains.id = costs.chain_id WHERE costs.id = ?
    """)
  private static let byName = SQLStatement(
    "SELECT id, customer_id FROM running_costs WHERE customer_id = ? AND name = ?")
  private static let ofCustomer = SQLStatement(
    "SELECT id, customer_id FROM running_costs WHERE customer_id = ? ORDER BY id")
  private static let dueBy = SQLStatement(
    """
    SELECT id, customer_id FROM running_costs WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?
    """)
  private static let firstDue = SQLStatement(
    "SELECT min(due_at_ms) FROM running_costs WHERE due_at_ms IS NOT NULL")
  private static let upsert = SQLStatement(
    """
    INSERT INTO running_costs (customer_id, scope_id, name, entitlement, chain_id, kind, unit,
      units, cost_microunits, currency, period_ms, on_revocation, state, begun_at_ms,
      accrued_until_ms, due_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)
    ON CONFLICT (customer_id, name) DO UPDATE SET
      entitlement = excluded.entitlement, chain_id = excluded.chain_id, kind = excluded.kind,
      unit = excluded.unit, units = excluded.units, cost_microunits = excluded.cost_microunits,
      currency = excluded.currency, period_ms = excluded.period_ms,
      on_revocation = excluded.on_revocation, state = 'running',
      begun_at_ms = excluded.begun_at_ms, accrued_until_ms = excluded.accrued_until_ms,
      due_at_ms = excluded.due_at_ms, ended_at_ms = NULL
    """)
  private static let update = SQLStatement(
    """
    UPDATE running_costs SET state = ?, accrued_until_ms = ?, due_at_ms = ?, ended_at_ms = ?
    WHERE id = ?
    """)
}
