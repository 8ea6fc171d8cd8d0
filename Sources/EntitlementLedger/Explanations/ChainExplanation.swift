public import AppStoreModel

/// How a chain's answer comes about, purchase by purchase: what a timeline shows.
public struct ChainExplanation: Hashable, Sendable {
  /// One purchase and what it says at the moment asked about.
  public struct Purchase: Hashable, Sendable {
    public let transactionId: String
    public let productId: String
    public let purchaseDate: Timestamp
    /// When its access begins and ends as far as dates and other purchases tell.
    ///
    /// `nil` for a product that has no periods.
    public let period: Range<Timestamp>?
    public let isUpgraded: Bool
    /// `nil` for a consumable.
    public let reason: DecisionReason?
    /// Every revocation that was ever shown, by date.
    public let revocations: [RevocationAnswer]
  }

  /// What the status in force does to the answer.
  public enum StatusEffect: String, Hashable, Sendable, CaseIterable {
    /// It decides nothing alone.
    case none
    /// It grants a period that we have not seen.
    case grants
    /// It denies.
    case denies
    /// It would deny, and something else explains it.
    case explained
  }

  public let answer: ChainAnswer
  /// In the order in which they were made.
  public let purchases: [Purchase]
  public let status: StatusEntry?
  public let statusEffect: StatusEffect
}

extension Chain {
  /// How the chain's answer at a moment comes about.
  ///
  /// - Parameters:
  ///   - now: The moment asked about.
  ///   - catalog: What the app's products mean.
  ///   - policy: How doubt is treated.
  ///   - perspective: On whose behalf.
  /// - Returns: The answer with everything that led to it.
  public func explanation(
    at now: Timestamp, catalog: Catalog = .empty, policy: Policy = .standard,
    perspective: Perspective = .server
  ) -> ChainExplanation {
    let reading = ChainReading(self, catalog, policy, perspective)
    let outcomes = reading.outcomes(at: now)
    return ChainExplanation(
      answer: answer(at: now, catalog: catalog, policy: policy, perspective: perspective),
      purchases: reading.purchases.indices.map { reading.explain($0, outcomes) },
      status: reading.status?.entry, statusEffect: reading.statusEffect(outcomes, at: now))
  }
}

extension ChainReading {
  fileprivate func explain(_ index: Int, _ outcomes: [Outcome]) -> ChainExplanation.Purchase {
    let purchase = purchases[index]
    let start = start(of: index)
    let period = purchase.expiresDate.map { _ in start..<max(start, end(of: index)) }
    return ChainExplanation.Purchase(
      transactionId: purchase.copy.transactionId, productId: purchase.copy.productId,
      purchaseDate: purchase.purchaseDate, period: period, isUpgraded: purchase.copy.isUpgraded,
      reason: outcomes.first { $0.purchase == index }?.reason,
      revocations: Array(purchase.revocations))
  }

  fileprivate func statusEffect(
    _ outcomes: [Outcome], at now: Timestamp
  ) -> ChainExplanation.StatusEffect {
    switch denial(at: now) {
    case .denies: return .denies
    case .explained: return .explained
    case .none: return outcomes.contains { $0.reason == .activeByStatus } ? .grants : .none
    }
  }
}
