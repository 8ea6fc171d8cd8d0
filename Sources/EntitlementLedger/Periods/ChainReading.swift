import AppStoreModel

/// A chain prepared for questions about any moment.
struct ChainReading {
  let chain: Chain
  let catalog: Catalog
  let policy: Policy
  let perspective: Perspective
  /// In the order in which they were made.
  let purchases: [Purchase]
  let periods: PeriodOrder
  let revocations: [RevocationAnswer]
  let status: StatusInForce?

  init(_ chain: Chain, _ catalog: Catalog, _ policy: Policy, _ perspective: Perspective) {
    self.chain = chain
    self.catalog = catalog
    self.policy = policy
    self.perspective = perspective
    let revocations = chain.revocationAnswers(perspective)
    self.revocations = revocations
    status = StatusInForce(chain.statuses)
    var purchases = chain.transactions.values.map { state in
      Purchase(state, of: chain, catalog, revocations)
    }
    if purchases.count > 1 { purchases.sort(by: Purchase.precedes) }
    self.purchases = purchases
    periods = PeriodOrder(purchases)
  }
}
