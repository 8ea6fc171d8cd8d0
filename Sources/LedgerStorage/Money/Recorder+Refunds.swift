import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// A refund and the chain that it is in.
  package struct ListedRefund: Hashable, Sendable {
    package let chain: ChainKey
    package let refund: RefundEntry
  }

  /// Every refund of the chains after `chainID`, chain by chain, of at most `limit` chains.
  ///
  /// - Returns: The refunds, and the chain to go on after; `nil` at the end.
  package func refunds(
    afterChain chainID: Int64, limit: Int
  ) throws(StoreError) -> (refunds: [ListedRefund], next: Int64?) {
    let ids = try session.rows(
      Self.chainsWithMoney, [.integer(chainID), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
    var found: [ListedRefund] = []
    for id in ids {
      guard let chain = try chains.find(id: id)?.chain else { continue }
      found += chain.refundEntries().map { ListedRefund(chain: chain.key, refund: $0) }
    }
    return (found, ids.count == limit ? ids.last : nil)
  }

  private static let chainsWithMoney = SQLStatement(
    """
    SELECT id FROM chains WHERE id > ? AND (
      EXISTS (SELECT 1 FROM revocations WHERE chain_id = chains.id)
      OR EXISTS (SELECT 1 FROM postings WHERE chain_id = chains.id))
    ORDER BY id LIMIT ?
    """)
}
