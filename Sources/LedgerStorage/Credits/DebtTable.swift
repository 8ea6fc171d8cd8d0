import AppStoreModel
import EntitlementLedger

/// What is owed, frozen or written off, who paid it, and the books' lines.
struct DebtTable {
  /// A debt and where it is kept.
  struct Row {
    let id: Int64
    let name: String
    let openedAt: Timestamp
    let debt: CreditDebt
  }

  let session: any SQLSession

  /// What was not undone, in the order of opening; settled debts are left out of the older ones.
  func standing(ofCustomer customerID: Int64, _ unit: String) throws(StoreError) -> [Row] {
    try rows(Self.inBook, [.integer(customerID), .text(unit)])
  }

  /// The same without spend that was written off, which nothing pays, undoes or lets go by itself.
  func changeable(ofCustomer customerID: Int64, _ unit: String) throws(StoreError) -> [Row] {
    try rows(Self.changeableInBook, [.integer(customerID), .text(unit)])
  }

  func find(name: String, ofCustomer customerID: Int64) throws(StoreError) -> (Row, String)? {
    let unit = try session.first(Self.unitOf, [.text(name), .integer(customerID)]) {
      (row) throws(StoreError) in try row.requiredText(0)
    }
    guard let unit else { return nil }
    let row = try standing(ofCustomer: customerID, unit).first { $0.name == name }
    return row.map { ($0, unit) }
  }

  func insert(
    _ debt: CreditDebt, name: String, customerID: Int64, _ unit: String, spendID: Int64?,
    at now: Timestamp
  ) throws(StoreError) -> Int64 {
    var lotID: Int64?
    var revokedAt: Timestamp?
    if case .refund(let lot, let key) = debt.cause {
      lotID = lot
      revokedAt = key.revocationDate
    }
    return try session.insert(
      Self.insertRow,
      [
        .text(name), .integer(customerID), .text(unit), .integer(lotID), .moment(revokedAt),
        .integer(spendID), .text(debt.treatment.rawValue), .integer(debt.credits),
        .moment(now),
      ])
  }

  func write(_ debt: CreditDebt, to id: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(
      Self.update,
      [
        .integer(debt.paid), .text(debt.isForgiven ? "forgiven" : "standing"),
        .moment(debt.isForgiven ? now : nil), .integer(id),
      ])
    try session.run(Self.deletePayments, [.integer(id)])
    for payment in debt.payments {
      try session.run(
        Self.insertPayment,
        [.integer(id), .integer(payment.lot), .integer(payment.credits)])
    }
  }

  func units(ofCustomer customerID: Int64) throws(StoreError) -> [String] {
    try session.rows(Self.unitsOf, [.integer(customerID)]) { (row) throws(StoreError) in
      try row.requiredText(0)
    }
  }

  /// How many debts there ever were.
  func count() throws(StoreError) -> Int64 {
    try session.number(Self.greatest, []) ?? 0
  }

  func undo(_ id: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(Self.deletePayments, [.integer(id)])
    try session.run(Self.endUndone, [.moment(now), .integer(id)])
  }

  func note(_ text: String?, on id: Int64) throws(StoreError) {
    try session.run(Self.updateNote, [.text(text), .integer(id)])
  }

  func append(
    _ entry: CreditEntry, customerID: Int64, _ unit: String, debtID: Int64?, spendID: Int64?,
    _ cause: Cause
  ) throws(StoreError) {
    try session.run(
      Self.insertEntry,
      [
        .integer(customerID), .text(unit), .text(entry.kind.rawValue), .integer(entry.credits),
        .integer(entry.balanceChange), .integer(entry.lot), .integer(debtID), .integer(spendID),
        .integer(cause.factID), .moment(cause.now),
      ])
  }

  private func rows(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [Row] {
    var payments: [Int64: [CreditDebt.Payment]] = [:]
    try session.forEach(Self.paymentsInBook, values) { (row) throws(StoreError) in
      payments[try row.requiredInteger(0), default: []].append(
        CreditDebt.Payment(lot: try row.requiredInteger(1), credits: try row.requiredInteger(2)))
      return true
    }
    return try session.rows(statement, values) { (row) throws(StoreError) in
      let id = try row.requiredInteger(0)
      guard let treatment = PolicyEntry.SpentCredits(rawValue: try row.requiredText(6)) else {
        throw .inconsistent(detail: "a debt of unknown treatment")
      }
      return Row(
        id: id, name: try row.requiredText(1), openedAt: try row.requiredTimestamp(9),
        debt: CreditDebt(
          cause: try Self.cause(row), treatment: treatment, credits: try row.requiredInteger(7),
          payments: payments[id] ?? [], isForgiven: row.text(8) == "forgiven"))
    }
  }

  private static func cause(_ row: any SQLRow) throws(StoreError) -> CreditDebt.Cause {
    guard let lot = row.integer(2) else { return .spend(try row.requiredText(5)) }
    let key = RevocationKey(
      transactionId: try row.requiredText(4), revocationDate: try row.requiredTimestamp(3))
    return .refund(lot: lot, key)
  }

  private static let select = """
    SELECT debts.id, debts.name, debts.lot_id, debts.revoked_at_ms, lots.transaction_id,
      spends.name, debts.treatment, debts.credits, debts.state, debts.opened_at_ms
    FROM credit_debts AS debts LEFT JOIN credit_lots AS lots ON lots.id = debts.lot_id
    LEFT JOIN spends ON spends.id = debts.spend_id
    """
  private static let inBook = SQLStatement(
    """
    \(select)
    WHERE debts.customer_id = ? AND debts.unit = ? AND debts.state <> 'undone' ORDER BY debts.id
    """)
  private static let changeableInBook = SQLStatement(
    """
    \(select)
    WHERE debts.customer_id = ? AND debts.unit = ? AND debts.state <> 'undone'
      AND (debts.spend_id IS NULL OR debts.treatment <> 'writeOff')
    ORDER BY debts.id
    """)
  private static let paymentsInBook = SQLStatement(
    """
    SELECT payments.debt_id, payments.lot_id, payments.credits
    FROM credit_debts AS debts JOIN debt_payments AS payments ON payments.debt_id = debts.id
    WHERE debts.customer_id = ? AND debts.unit = ? AND debts.state <> 'undone' ORDER BY payments.id
    """)
  private static let unitsOf = SQLStatement(
    "SELECT DISTINCT unit FROM credit_debts WHERE customer_id = ? AND state <> 'undone'")
  private static let unitOf = SQLStatement(
    "SELECT unit FROM credit_debts WHERE name = ? AND customer_id = ? AND state <> 'undone'")
  private static let greatest = SQLStatement("SELECT max(id) FROM credit_debts")
  private static let insertRow = SQLStatement(
    """
    INSERT INTO credit_debts (name, customer_id, unit, lot_id, revoked_at_ms, spend_id, treatment,
      credits, paid, state, opened_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 'standing', ?)
    """)
  private static let update = SQLStatement(
    "UPDATE credit_debts SET paid = ?, state = ?, ended_at_ms = ? WHERE id = ?")
  private static let updateNote = SQLStatement("UPDATE credit_debts SET note = ? WHERE id = ?")
  private static let endUndone = SQLStatement(
    "UPDATE credit_debts SET paid = 0, state = 'undone', ended_at_ms = ? WHERE id = ?")
  private static let deletePayments = SQLStatement("DELETE FROM debt_payments WHERE debt_id = ?")
  private static let insertPayment = SQLStatement(
    "INSERT INTO debt_payments (debt_id, lot_id, credits) VALUES (?, ?, ?)")
  private static let insertEntry = SQLStatement(
    """
    INSERT INTO credit_entries (customer_id, unit, kind, credits, balance_change, lot_id, debt_id,
      spend_id, fact_id, written_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
}
