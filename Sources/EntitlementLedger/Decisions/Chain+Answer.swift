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
    let turns = reading.turningPoints
    return ChainAnswer(
      key: key, products: products, doubts: reading.doubts(outcomes, at: now),
      holdsSince: turns.last { $0 <= now }, holdsUntil: turns.first { $0 > now },
      nextChange: reading.nextChange(
        of: outcomes, products, among: turns.drop { $0 <= now }))
  }
}
