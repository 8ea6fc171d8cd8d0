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
    try moneyChains(in: scope, after: chainID, limit: limit) { (stored, owner) in
      stored.chain.refundEntries().map {
        ListedRefund(chain: stored.chain.key, customer: owner, refund: $0)
      }
    }
  }
}
