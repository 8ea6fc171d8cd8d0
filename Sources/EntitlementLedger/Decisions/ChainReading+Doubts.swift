import AppStoreModel

extension ChainReading {
  /// Why Apple is to be asked.
  func doubts(_ outcomes: [Outcome], at now: Timestamp) -> [Doubt] {
    let grants = outcomes.contains { outcome in
      outcome.isGranted && (outcome.purchase.map { purchases[$0].expiresDate != nil } ?? true)
    }
    var doubts: [Doubt] = []
    if hasEqualClocks { doubts.append(.equalClocks) }
    let deniesAlone = outcomes.contains { $0.reason == .revokedByStatus }
    if deniesAlone || isAtOdds(grants: grants) { doubts.append(.statusAtOdds) }
    if denial(at: now) == .explained { doubts.append(.statusExplained) }
    if purchases.contains(where: \.hasNewerCleanCopy) { doubts.append(.cleanCopy) }
    if purchases.contains(where: isReversalUnsettled) { doubts.append(.reversalUnsettled) }
    if purchases.contains(where: \.isRevokedWithoutDate) { doubts.append(.revocationWithoutDate) }
    if hasUnknownStatus { doubts.append(.unknownStatus) }
    if outcomes.contains(where: { $0.reason == .renewalAwaited }) {
      doubts.append(.renewalAwaited)
    }
    return doubts
  }

  private var hasEqualClocks: Bool {
    chain.renewalIsContested || status?.isContested == true
      || purchases.contains { $0.state.isContested }
  }

  /// Whether Apple's status and the periods do not fit together.
  private func isAtOdds(grants: Bool) -> Bool {
    switch status?.entry.status {
    case .revoked, .expired: grants
    case .active, .billingGracePeriod: !grants
    case .billingRetry, .unknown, nil: false
    }
  }

  private func isReversalUnsettled(_ purchase: Purchase) -> Bool {
    purchase.revocations.last.map { chain.isReversalUnsettled(of: $0.revocation) } ?? false
  }

  private var hasUnknownStatus: Bool {
    chain.statuses.values.contains {
      !$0.status.isKnown && $0.clock >= status?.clock ?? .distantPast
    }
  }
}

extension Purchase {
  /// A copy without the revocation, newer than one with it, that may not reopen.
  fileprivate var hasNewerCleanCopy: Bool {
    standing != nil && copy.revocation == nil
  }
}
