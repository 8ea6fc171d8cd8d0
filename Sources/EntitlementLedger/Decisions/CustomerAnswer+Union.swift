public import AppStoreModel

extension CustomerAnswer {
  /// The union over a customer's chains and manual grants.
  ///
  /// - Parameters:
  ///   - chains: What each chain says at `now`.
  ///   - grants: Those of this customer in the same scope.
  ///   - now: The moment asked about.
  public init(chains: [ChainAnswer], grants: [ManualGrant] = [], at now: Timestamp) {
    var best: [Decision] = []
    for chain in chains {
      for product in chain.products {
        for entitlement in product.entitlements {
          Self.add(Decision(product, entitlement), to: &best)
        }
      }
    }
    for grant in grants { Self.add(Decision(grant, at: now), to: &best) }
    let moments = chains.compactMap(\.nextChange) + grants.flatMap(\.turningPoints)
    self.init(
      decisions: best.sorted { $0.entitlement < $1.entitlement },
      unmappedProducts: Self.unmapped(chains),
      doubtfulChains: chains.filter(\.isDoubtful).map(\.key),
      nextChange: moments.filter { $0 > now }.min())
  }

  private static func add(_ decision: Decision, to best: inout [Decision]) {
    guard let place = best.firstIndex(where: { $0.entitlement == decision.entitlement }) else {
      best.append(decision)
      return
    }
    if decision.isBetter(than: best[place]) { best[place] = decision }
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

  init(_ grant: ManualGrant, at now: Timestamp) {
    let hasEnded = now >= grant.end ?? .distantFuture
    let reason: DecisionReason =
      hasEnded ? .manualGrantEnded : now < grant.from ? .notBegun : .manualGrant
    self.init(
      entitlement: grant.entitlement, reason: reason,
      evidence: Evidence(purchaseDate: grant.from, expiresDate: grant.end, grantId: grant.id),
      until: reason == .manualGrant ? grant.end : nil)
  }

  /// Granted before unknown before denied; then the grant that lasts longest, or what was bought
  /// last; then by the text of its evidence, so that no order of chains matters.
  fileprivate func isBetter(than other: Decision) -> Bool {
    if verdict != other.verdict { return verdict.rank > other.verdict.rank }
    if isProvisional != other.isProvisional { return other.isProvisional }
    let mine = verdict == .granted ? until ?? .distantFuture : evidence.moment
    let others = other.verdict == .granted ? other.until ?? .distantFuture : other.evidence.moment
    return mine != others ? mine > others : other.evidence.name < evidence.name
  }
}

extension Evidence {
  fileprivate var moment: Timestamp { purchaseDate ?? .distantPast }

  fileprivate var name: String {
    [chain?.originalTransactionId, transactionId, productId, grantId].map { $0 ?? "" }
      .joined(separator: "\t")
  }
}

extension ManualGrant {
  var turningPoints: [Timestamp] {
    [from, end].compactMap { $0 }
  }
}
