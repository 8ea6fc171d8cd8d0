public import AppStoreModel

extension Chain {
  /// What the chain grants and denies at a moment.
  ///
  /// - Parameters:
  ///   - now: The moment asked about. For one in the past, fold only the facts signed by then.
  ///   - catalog: What the app's products mean.
  ///   - policy: How doubt is treated.
  ///   - perspective: On whose behalf.
  /// - Returns: An answer for each product that can grant, and what is doubtful.
  public func answer(
    at now: Timestamp, catalog: Catalog = .empty, policy: Policy = .standard,
    perspective: Perspective = .server
  ) -> ChainAnswer {
    let reading = ChainReading(self, catalog, policy, perspective)
    let outcomes = reading.outcomes(at: now)
    let products = reading.products(outcomes)
    return ChainAnswer(
      key: key, products: products, doubts: reading.doubts(outcomes, at: now),
      nextChange: reading.nextChange(after: now, from: outcomes, products))
  }
}
