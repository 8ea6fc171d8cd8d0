package import EntitlementLedger
package import LedgerReports
import AppStoreModel

extension Recorder {
  /// Everything that happened to the money of an app's chains after `chainID`, of at most `limit`.
  ///
  /// - Returns: The movements, and the chain to go on after; `nil` at the end.
  package func moneyMovements(
    in scope: Scope, afterChain chainID: Int64, limit: Int
  ) throws(StoreError) -> (movements: [MoneyMovement], next: Int64?) {
    try moneyChains(in: scope, after: chainID, limit: limit) { (stored, _) throws(StoreError) in
      stored.chain.moneyMovements(declines: try declines(ofChain: stored.id))
    }
  }

  /// Reads the chains of an app on which a refund, another revocation or a decline is known.
  func moneyChains<Item>(
    in scope: Scope, after chainID: Int64, limit: Int,
    _ read: (StoredChain, CustomerID?) throws(StoreError) -> [Item]
  ) throws(StoreError) -> ([Item], next: Int64?) {
    guard let scopeID = try chains.scopes.find(scope) else { return ([], nil) }
    let place = [SQLValue.integer(chainID), .integer(scopeID)]
    let ids = try session.rows(
      Self.chainsWithMoney, place + place + place + [.integer(Int64(limit))]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
    var found: [Item] = []
    for id in ids {
      guard let stored = try chains.find(id: id) else { continue }
      let owner = try stored.customerID.map { (id) throws(StoreError) in
        try customers.find(id: id).key.id
      }
      found += try read(stored, owner)
    }
    return (found, ids.count == limit ? ids.last : nil)
  }

  private func declines(ofChain id: Int64) throws(StoreError) -> [Decline] {
    try session.rows(Self.declinesOf, [.integer(id)]) { (row) throws(StoreError) in
      Decline(transactionId: try row.requiredText(0), at: try row.requiredTimestamp(1))
    }
  }

  private static let chainsWithMoney = SQLStatement(
    """
    SELECT chain_id FROM revocations JOIN chains ON chains.id = chain_id
    WHERE chain_id > ? AND scope_id = ?
    UNION
    SELECT chain_id FROM postings JOIN chains ON chains.id = chain_id
    WHERE chain_id > ? AND scope_id = ?
    UNION
    SELECT chain_id FROM declines JOIN chains ON chains.id = chain_id
    WHERE chain_id > ? AND scope_id = ?
    ORDER BY chain_id LIMIT ?
    """)
  private static let declinesOf = SQLStatement(
    "SELECT transaction_id, declined_at_ms FROM declines WHERE chain_id = ?")
}
