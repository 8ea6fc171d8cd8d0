import AppStoreModel
import EntitlementLedger

/// Lots of credits, and the holds that have a part of them.
struct LotTable {
  /// Where a lot is kept.
  struct Place {
    let id: Int64
    let transactionId: String
    let customerID: Int64?
    let unit: String
  }

  let session: any SQLSession

  func places(ofChain chainID: Int64) throws(StoreError) -> [Place] {
    try session.rows(Self.ofChain, [.integer(chainID)]) { (row) throws(StoreError) in
      Place(
        id: try row.requiredInteger(0), transactionId: try row.requiredText(1),
        customerID: row.integer(2), unit: try row.requiredText(3))
    }
  }

  /// Makes an empty place for a lot.
  func insert(
    _ grant: CreditGrant, chainID: Int64, customerID: Int64
  ) throws(StoreError) -> Int64 {
    try session.insert(
      Self.insertRow,
      [
        .integer(chainID), .text(grant.transactionId), .integer(customerID),
        .text(grant.productId), .text(grant.unit), .moment(grant.purchaseDate),
      ])
  }

  func write(_ lot: CreditLot) throws(StoreError) {
    try session.run(
      Self.update,
      [
        .integer(lot.filled), .integer(lot.taken), .integer(lot.held), .integer(lot.spent),
        .integer(lot.paid), .moment(lot.takenBack?.key.revocationDate),
        .integer(lot.takenBack.map { Int64($0.share.percentMilliunits) }),
        .flag(lot.takenBack?.isRefund), .integer(lot.id),
      ])
  }

  func move(_ id: Int64, to customerID: Int64?) throws(StoreError) {
    try session.run(Self.updateOwner, [.integer(customerID), .integer(id)])
  }

  /// The lots of a balance that have something left, and those of one chain whatever they have.
  func lots(
    ofCustomer customerID: Int64, _ unit: String, chainID: Int64?
  ) throws(StoreError) -> [CreditLot] {
    try session.rows(
      Self.inBook, [.integer(customerID), .text(unit), .integer(chainID ?? -1)], Self.lot)
  }

  /// All lots of a customer with their products, by unit, in the order of drawing.
  func all(
    ofCustomer customerID: Int64
  ) throws(StoreError) -> [(unit: String, productId: String, lot: CreditLot)] {
    try session.rows(Self.ofCustomer, [.integer(customerID)]) { (row) throws(StoreError) in
      (try row.requiredText(11), try row.requiredText(12), try Self.lot(row))
    }
  }

  func lot(_ id: Int64) throws(StoreError) -> CreditLot {
    guard let lot = try session.first(Self.byID, [.integer(id)], Self.lot) else {
      throw .inconsistent(detail: "a lot is missing")
    }
    return lot
  }

  func hold(_ draw: CreditBook.Draw, for authorizationID: Int64) throws(StoreError) {
    try session.run(
      Self.insertHold, [.integer(authorizationID), .integer(draw.lot), .integer(draw.credits)])
  }

  func draws(of authorizationID: Int64) throws(StoreError) -> [CreditBook.Draw] {
    try session.rows(Self.drawsOf, [.integer(authorizationID)]) { (row) throws(StoreError) in
      CreditBook.Draw(lot: try row.requiredInteger(0), credits: try row.requiredInteger(1))
    }
  }

  /// The chain and transaction that a lot was bought by.
  func purchase(of id: Int64) throws(StoreError) -> (chainID: Int64, transactionId: String) {
    let found = try session.first(Self.purchaseOf, [.integer(id)]) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredText(1))
    }
    guard let found else { throw .inconsistent(detail: "a lot is missing") }
    return found
  }

  private static func lot(_ row: any SQLRow) throws(StoreError) -> CreditLot {
    let transactionId = try row.requiredText(1)
    var takenBack: CreditGrant.TakenBack?
    if let date = row.timestamp(8) {
      guard let share = RevokedShare(percentMilliunits: Int32(clamping: row.integer(9) ?? -1))
      else { throw .inconsistent(detail: "a share is out of range") }
      takenBack = CreditGrant.TakenBack(
        key: RevocationKey(transactionId: transactionId, revocationDate: date), share: share,
        isRefund: row.flag(10))
    }
    return CreditLot(
      id: try row.requiredInteger(0), transactionId: transactionId,
      purchaseDate: try row.requiredTimestamp(2), filled: try row.requiredInteger(3),
      taken: try row.requiredInteger(4), held: try row.requiredInteger(5),
      spent: try row.requiredInteger(6), paid: try row.requiredInteger(7), takenBack: takenBack)
  }

  private static let columns = """
    id, transaction_id, purchased_at_ms, filled, taken, held, spent, paid, revoked_at_ms,
    revoked_percent_milliunits, is_refund, unit, product_id
    """
  private static let ofChain = SQLStatement(
    "SELECT id, transaction_id, customer_id, unit FROM credit_lots WHERE chain_id = ? ORDER BY id")
  private static let insertRow = SQLStatement(
    """
    INSERT INTO credit_lots (chain_id, transaction_id, customer_id, product_id, unit,
      purchased_at_ms, filled, taken, held, spent, paid)
    VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)
    """)
  private static let update = SQLStatement(
    """
    UPDATE credit_lots SET filled = ?, taken = ?, held = ?, spent = ?, paid = ?, revoked_at_ms = ?,
      revoked_percent_milliunits = ?, is_refund = ?
    WHERE id = ?
    """)
  private static let updateOwner = SQLStatement(
    "UPDATE credit_lots SET customer_id = ? WHERE id = ?")
  private static let inBook = SQLStatement(
    """
    SELECT \(columns) FROM credit_lots
    WHERE customer_id = ? AND unit = ? AND (taken + spent < filled OR chain_id = ?)
    """)
  private static let ofCustomer = SQLStatement(
    """
    SELECT \(columns) FROM credit_lots WHERE customer_id = ?
    ORDER BY unit, purchased_at_ms, transaction_id, id
    """)
  private static let byID = SQLStatement("SELECT \(columns) FROM credit_lots WHERE id = ?")
  private static let insertHold = SQLStatement(
    "INSERT INTO hold_lots (authorization_id, lot_id, credits) VALUES (?, ?, ?)")
  private static let drawsOf = SQLStatement(
    "SELECT lot_id, credits FROM hold_lots WHERE authorization_id = ? ORDER BY id")
  private static let purchaseOf = SQLStatement(
    "SELECT chain_id, transaction_id FROM credit_lots WHERE id = ?")
}
