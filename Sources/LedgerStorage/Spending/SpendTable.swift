import AppStoreModel
import EntitlementLedger

/// What was spent, and the purchases that it is charged to.
struct SpendTable {
  /// A spend that is to be kept.
  struct Draft {
    var name: String
    var customerID: Int64
    var scopeID: Int64
    var authorizationID: Int64?
    var requestKeyID: Int64?
    var runningCostID: Int64?
    var purpose: SpendPurpose
    var uncovered: Int64 = 0
    var isAboveHold = false
    var isDegraded = false
    var charges: [Charge]
    /// How many periods of a running cost it is, one after the other.
    var periods: Int64 = 1
    /// How long each of several is.
    var period: TimeSpan?
    var spentAt: Timestamp
    var recordedAt: Timestamp
  }

  struct Charge {
    var chainID: Int64?
    var transactionId: String?
    var lotID: Int64?
    var cost: Cost
    var credits: Int64 = 0
    var lateness: SpendRecord.Lateness?
  }

  let session: any SQLSession
  let customers: CustomerTable

  /// - Returns: The spend's row.
  func insert(_ draft: Draft) throws(StoreError) -> Int64 {
    let purpose = draft.purpose
    let id = try session.insert(
      Self.insertRow,
      [
        .text(draft.name), .integer(draft.customerID), .integer(draft.scopeID),
        .integer(draft.authorizationID), .integer(draft.requestKeyID),
        .text(purpose.entitlement), .text(purpose.measure.kind), .text(purpose.measure.unit),
        .integer(purpose.measure.units), .integer(purpose.cost.microunits),
        .text(purpose.cost.currency.code), .text(purpose.credits?.unit),
        .integer(purpose.credits?.amount ?? 0), .integer(draft.uncovered),
        .flag(draft.isAboveHold), .flag(draft.isDegraded), .moment(draft.spentAt),
        .moment(draft.recordedAt), .integer(draft.runningCostID), .integer(draft.periods),
        .integer(draft.period?.milliseconds),
      ])
    for (place, charge) in draft.charges.enumerated() {
      try session.run(
        Self.insertCharge,
        [
          .integer(id), .integer(Int64(place)), .integer(charge.chainID),
          .text(charge.transactionId), .integer(charge.lotID), .integer(charge.cost.microunits),
          .integer(charge.credits), .text(charge.lateness?.rawValue),
        ])
    }
    return id
  }

  /// A name for the spend that is kept next.
  func nextName(_ realm: Realm) throws(StoreError) -> String {
    let next = (try session.number(Self.greatest, []) ?? 0) + 1
    let floor = try session.number(Self.versionFloor, []) ?? 0
    // A ledger that was put back numbers spends as the lost one did: they are not the same.
    let place = floor == 0 ? "\(realm) spend \(next)" : "\(realm) spend \(next) \(floor)"
    let mark = Fingerprint(hashing: Array(place.utf8)).hexadecimal
    return "spend_\(next)_" + mark.prefix(16)
  }

  func find(id: Int64) throws(StoreError) -> SpendRecord {
    guard let record = try records(Self.byID, [.integer(id)]).first else {
      throw .inconsistent(detail: "a spend is missing")
    }
    return record
  }

  func settling(_ authorizationID: Int64) throws(StoreError) -> SpendRecord? {
    try records(Self.byAuthorization, [.integer(authorizationID)]).first
  }

  /// What one request recorded, in the order of its items.
  func recorded(by requestKeyID: Int64) throws(StoreError) -> [SpendRecord] {
    try records(Self.byRequest, [.integer(requestKeyID)])
  }

  func all(
    inScope scopeID: Int64, after position: Int64, limit: Int
  ) throws(StoreError) -> [SpendRecord] {
    try records(
      Self.inScope, [.integer(scopeID), .integer(position), .integer(Int64(limit))])
  }

  /// What is charged to any transaction of a chain, or to one of them, in order of recording.
  func all(chargedTo chainID: Int64, _ transactionId: String?) throws(StoreError) -> [SpendRecord] {
    try records(
      Self.onChain, [.integer(chainID), .text(transactionId), .text(transactionId)])
  }

  func all(
    ofCustomer customerID: Int64, after position: Int64, limit: Int
  ) throws(StoreError) -> [SpendRecord] {
    try records(
      Self.ofCustomer, [.integer(customerID), .integer(position), .integer(Int64(limit))])
  }

  /// What was spent in one currency in an app and environment since a moment, in microunits.
  func spent(
    inScope scopeID: Int64, _ currency: Currency, since moment: Timestamp
  ) throws(StoreError) -> Int64 {
    try session.sum(
      Self.sumInScope, [.integer(scopeID), .moment(moment), .text(currency.code)])
  }

  private func records(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [SpendRecord] {
    let ids = try session.rows(statement, values) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredInteger(1))
    }
    var found: [SpendRecord] = []
    for (id, customerID) in ids {
      if let record = try record(id, try customers.find(id: customerID).key) {
        found.append(record)
      }
    }
    return found
  }

  private func record(
    _ id: Int64, _ customer: CustomerKey
  ) throws(StoreError) -> SpendRecord? {
    let charges = try charges(of: id)
    return try session.first(Self.row, [.integer(id)]) { (row) throws(StoreError) in
      SpendRecord(
        position: id, id: try row.requiredText(0), customer: customer,
        authorizationId: row.text(1), runningCost: row.text(15),
        purpose: try PurposeColumns.purpose(from: row, first: 2),
        uncovered: try row.requiredInteger(10), charges: charges, isAboveHold: row.flag(11),
        isDegraded: row.flag(12), periods: try row.requiredInteger(16),
        period: row.integer(17).map { TimeSpan(milliseconds: $0) },
        spentAt: try row.requiredTimestamp(13), recordedAt: try row.requiredTimestamp(14))
    }
  }

  private func charges(of id: Int64) throws(StoreError) -> [SpendRecord.Charge] {
    try session.rows(Self.chargesOf, [.integer(id)]) { (row) throws(StoreError) in
      let cost = Cost(
        microunits: try row.requiredInteger(2), currency: Currency(code: try row.requiredText(3)))
      guard let cost else { throw .inconsistent(detail: "a cost is out of range") }
      return SpendRecord.Charge(
        originalTransactionId: row.text(0), transactionId: row.text(1), cost: cost,
        credits: try row.requiredInteger(4),
        lateness: row.text(5).flatMap { SpendRecord.Lateness(rawValue: $0) })
    }
  }

  private static let insertRow = SQLStatement(
    """
    INSERT INTO spends (name, customer_id, scope_id, authorization_id, request_key_id, entitlement,
      kind, unit, units, cost_microunits, currency, credit_unit, credits, uncovered_credits,
      above_hold, is_degraded, spent_at_ms, recorded_at_ms, running_cost_id,
      periods, period_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let insertCharge = SQLStatement(
    """
    INSERT INTO spend_charges (spend_id, place, chain_id, transaction_id, lot_id, cost_microunits,
      credits, lateness)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let versionFloor = SQLStatement("SELECT version_floor FROM store_identity")
  private static let greatest = SQLStatement("SELECT max(id) FROM spends")
  private static let row = SQLStatement(
    """
    SELECT spends.name, holds.name, spends.entitlement, spends.credit_unit, spends.credits,
      spends.kind, spends.unit, spends.units, spends.cost_microunits, spends.currency,
      spends.uncovered_credits, spends.above_hold, spends.is_degraded, spends.spent_at_ms,
      spends.recorded_at_ms, costs.name, spends.periods, spends.period_ms
    FROM spends LEFT JOIN authorizations AS holds ON holds.id = spends.authorization_id
    LEFT JOIN running_costs AS costs ON costs.id = spends.running_cost_id
    WHERE spends.id = ?
    """)
  private static let chargesOf = SQLStatement(
    """
    SELECT chains.original_transaction_id, charges.transaction_id, charges.cost_microunits,
      spends.currency, charges.credits, charges.lateness
    FROM spend_charges AS charges JOIN spends ON spends.id = charges.spend_id
    LEFT JOIN chains ON chains.id = charges.chain_id
    WHERE charges.spend_id = ? ORDER BY charges.place
    """)
  private static let byID = SQLStatement("SELECT id, customer_id FROM spends WHERE id = ?")
  private static let byAuthorization = SQLStatement(
    "SELECT id, customer_id FROM spends WHERE authorization_id = ?")
  private static let byRequest = SQLStatement(
    "SELECT id, customer_id FROM spends WHERE request_key_id = ? ORDER BY id")
  private static let inScope = SQLStatement(
    "SELECT id, customer_id FROM spends WHERE scope_id = ? AND id > ? ORDER BY id LIMIT ?")
  private static let ofCustomer = SQLStatement(
    "SELECT id, customer_id FROM spends WHERE customer_id = ? AND id > ? ORDER BY id LIMIT ?")
  private static let onChain = SQLStatement(
    """
    SELECT DISTINCT spends.id, spends.customer_id
    FROM spend_charges AS charges JOIN spends ON spends.id = charges.spend_id
    WHERE charges.chain_id = ? AND (? IS NULL OR charges.transaction_id = ?) ORDER BY spends.id
    """)
  private static let sumInScope = SQLStatement(
    """
    SELECT \(AmountColumns.millions(of: "cost_microunits")) FROM spends
    WHERE scope_id = ? AND spent_at_ms > ? AND currency = ?
    """)
}
