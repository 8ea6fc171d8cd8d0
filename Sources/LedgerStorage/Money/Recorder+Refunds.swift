import AppStoreModel
package import EntitlementLedger

/// A refund, the chain that it is in, and whose that is.
package struct ListedRefund: Hashable, Sendable {
  package let chain: ChainKey
  package let customer: CustomerID?
  package let refund: RefundEntry
}

extension Recorder {
  /// Every refund of an app's chains after `chainID`, chain by chain, of at most `limit` chains.
  ///
  /// - Returns: The refunds, and the chain to go on after; `nil` at the end.
  package func refunds(
    in scope: Scope, afterChain chainID: Int64, limit: Int
  ) throws(StoreError) -> (refunds: [ListedRefund], next: Int64?) {
    guard let scopeID = try chains.scopes.find(scope) else { return ([], nil) }
    let ids = try session.rows(
      Self.chainsWithMoney,
      [
        .integer(chainID), .integer(scopeID), .integer(chainID), .integer(scopeID),
        .integer(Int64(limit)),
      ]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
    var found: [ListedRefund] = []
    for id in ids { found += try refunds(ofChain: id) }
    return (found, ids.count == limit ? ids.last : nil)
  }

  private func refunds(ofChain id: Int64) throws(StoreError) -> [ListedRefund] {
    guard let stored = try chains.find(id: id) else { return [] }
    let owner = try stored.customerID.map { (id) throws(StoreError) in
      try customers.find(id: id).key.id
    }
    return stored.chain.refundEntries().map {
      ListedRefund(chain: stored.chain.key, customer: owner, refund: $0)
    }
  }

  private static let chainsWithMoney = SQLStatement(
    """
    SELECT chain_id FROM revocations JOIN chains ON chains.id = chain_id
    WHERE chain_id > ? AND scope_id = ?
    UNION
    SELECT chain_id FROM postings JOIN chains ON chains.id = chain_id
    WHERE chain_id > ? AND scope_id = ?
    ORDER BY chain_id LIMIT ?
    """)
}
