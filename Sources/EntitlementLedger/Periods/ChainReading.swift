import AppStoreModel

/// A chain prepared for questions about any moment.
struct ChainReading {
  let chain: Chain
  let catalog: Catalog
  let policy: Policy
  let perspective: Perspective
  /// In the order in which they were made.
  let purchases: [Purchase]
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
  }
}

extension Purchase {
  init(
    _ state: TransactionState, of chain: Chain, _ catalog: Catalog,
    _ revocations: [RevocationAnswer]
  ) {
    let copy = state.newest
    let entry = catalog.entry(for: copy.productId, boughtAt: copy.purchaseDate)
    self.init(
      state: state, kind: PurchaseKind(copy, entry),
      entitlements: catalog.entitlements(of: copy.productId, boughtAt: copy.purchaseDate),
      made: min(copy.purchaseDate, state.firstSigned),
      standing: revocations.last {
        $0.stands && $0.key.transactionId == copy.transactionId
      },
      isRevokedWithoutDate: chain.isRevokedWithoutDate(copy.transactionId, revocations))
  }
}
