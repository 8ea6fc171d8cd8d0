/// By which ways the App Store has ever spoken of a product's purchases.
///
/// A refund of a product of which it never spoke would not be noticed.
package struct SignalledProduct: Hashable, Sendable {
  package let productId: String
  /// Transactions known, however they became known.
  package let purchases: Int64
  /// Whether a notification told of one, as it was sent or in Apple's history.
  package let isNotified: Bool
  /// Whether Apple's API gave a copy of one.
  package let isAsked: Bool

  package var isSilent: Bool { !isNotified && !isAsked }
}

extension Recorder {
  /// The products of the purchases of an app and environment, and those of its catalog.
  func signalledProducts(
    _ scopeID: Int64, _ catalog: [String]
  ) throws(StoreError) -> [SignalledProduct] {
    var counts = Dictionary(catalog.map { ($0, Int64(0)) }, uniquingKeysWith: { first, _ in first })
    try session.forEach(Self.counts, [.integer(scopeID)]) { (row) throws(StoreError) in
      counts[try row.requiredText(0)] = try row.requiredInteger(1)
      return true
    }
    return try counts.sorted { $0.key < $1.key }.map { (product, purchases) throws(StoreError) in
      let known: [SQLValue] = [.integer(scopeID), .text(product)]
      return SignalledProduct(
        productId: product, purchases: purchases,
        isNotified: purchases == 0 ? false : try session.number(Self.firstNotified, known) != nil,
        isAsked: purchases == 0 ? false : try session.number(Self.firstAsked, known) != nil)
    }
  }

  private static let counts = SQLStatement(
    """
    SELECT transactions.product_id, count(*)
    FROM transactions JOIN chains ON chains.id = transactions.chain_id
    WHERE chains.scope_id = ? GROUP BY transactions.product_id
    """)
  private static let firstNotified = SQLStatement(
    """
    SELECT facts.id
    FROM transactions JOIN chains ON chains.id = transactions.chain_id
      JOIN facts ON facts.chain_id = transactions.chain_id
      JOIN sightings ON sightings.fact_id = facts.id
    WHERE chains.scope_id = ? AND transactions.product_id = ? AND facts.kind = 'notification'
      AND sightings.channel IN ('notification', 'history') LIMIT 1
    """)
  private static let firstAsked = SQLStatement(
    """
    SELECT api_copies.id
    FROM api_copies JOIN chains ON chains.id = api_copies.chain_id
    WHERE chains.scope_id = ? AND api_copies.product_id = ? LIMIT 1
    """)
}
