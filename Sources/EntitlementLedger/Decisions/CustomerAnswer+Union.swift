public import AppStoreModel

extension CustomerAnswer {
  /// The union over a customer's chains and manual grants.
  ///
  /// - Parameters:
  ///   - chains: What each chain says at `now`.
  ///   - grants: Those of this customer in the same scope.
  ///   - now: The moment asked about.
  public init(chains: [ChainAnswer], grants: [ManualGrant] = [], at now: Timestamp) {
    let claims = chains.flatMap(\.decisions) + grants.map { Decision($0, at: now) }
    let moments = chains.compactMap(\.nextChange) + grants.flatMap(\.turningPoints)
    self.init(
      decisions: Decision.best(of: claims),
      unmappedProducts: Self.unmapped(chains),
      doubtfulChains: chains.filter(\.isDoubtful).map(\.key),
      nextChange: moments.filter { $0 > now }.min())
  }

  private static func unmapped(_ chains: [ChainAnswer]) -> [String] {
    let products = chains.flatMap(\.products).filter { $0.reason == .unmappedProduct }
    return Set(products.map(\.productId)).sorted()
  }
}

extension Decision {
  init(_ product: ProductAnswer, _ entitlement: String) {
    self.init(
      entitlement: entitlement, reason: product.reason, evidence: product.evidence,
      until: product.until)
  }

  package init(_ grant: ManualGrant, at now: Timestamp) {
    let hasEnded = now >= grant.end ?? .distantFuture
    let reason: DecisionReason =
      hasEnded ? .manualGrantEnded : now < grant.from ? .notBegun : .manualGrant
    self.init(
      entitlement: grant.entitlement, reason: reason,
      evidence: Evidence(purchaseDate: grant.from, expiresDate: grant.end, grantId: grant.id),
      until: reason == .manualGrant ? grant.end : nil)
  }
}

extension ManualGrant {
  package var turningPoints: [Timestamp] {
    [from, end].compactMap { $0 }
  }
}
