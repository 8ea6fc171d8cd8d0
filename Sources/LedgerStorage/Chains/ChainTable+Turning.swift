import AppStoreModel
import EntitlementLedger

extension ChainTable {
  func ids(ofCustomer customerID: Int64) throws(StoreError) -> [Int64] {
    try session.rows(Self.owned, [.integer(customerID)]) { (row) throws(StoreError) in
      try row.requiredInteger(0)
    }
  }

  /// A customer's chains whose stored claims no longer hold by a moment.
  func turned(ofCustomer customerID: Int64, by now: Timestamp) throws(StoreError) -> [Int64] {
    try session.rows(Self.turnedBy, [.integer(customerID), .moment(now)]) {
      (row) throws(StoreError) in try row.requiredInteger(0)
    }
  }

  /// When the first of a customer's chains changes by time alone, leaving some out.
  func nextChange(
    ofCustomer customerID: Int64, excluding excluded: Set<Int64>
  ) throws(StoreError) -> Timestamp? {
    var found: Timestamp?
    try session.forEach(Self.changing, [.integer(customerID)]) { (row) throws(StoreError) in
      if excluded.contains(try row.requiredInteger(0)) { return true }
      found = row.timestamp(1)
      return false
    }
    return found
  }

  /// Keeps how long an answer holds, where that is not what is stored.
  func write(_ answer: ChainAnswer, of stored: StoredChain) throws(StoreError) {
    guard answer.holdsUntil != stored.holdsUntil || answer.nextChange != stored.changesAt else {
      return
    }
    try session.run(
      Self.updateTurns,
      [.moment(answer.holdsUntil), .moment(answer.nextChange), .integer(stored.id)])
  }

  private static let owned = SQLStatement(
    "SELECT id FROM chains WHERE customer_id = ? ORDER BY id")
  private static let turnedBy = SQLStatement(
    "SELECT id FROM chains WHERE customer_id = ? AND holds_until_ms <= ? ORDER BY id")
  private static let changing = SQLStatement(
    """
    SELECT id, changes_at_ms FROM chains
    WHERE customer_id = ? AND changes_at_ms IS NOT NULL ORDER BY changes_at_ms
    """)
  private static let updateTurns = SQLStatement(
    "UPDATE chains SET holds_until_ms = ?, changes_at_ms = ? WHERE id = ?")
}
