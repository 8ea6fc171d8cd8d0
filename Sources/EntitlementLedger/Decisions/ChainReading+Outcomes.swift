import AppStoreModel

extension ChainReading {
  /// What each purchase says at a moment; consumables say nothing.
  func outcomes(at now: Timestamp) -> [Outcome] {
    let denial = denial(at: now)
    let newest = newest
    var outcomes = purchases.indices.compactMap { index in
      outcome(of: index, at: now, isNewest: index == newest, denial)
    }
    guard denial != .denies, !outcomes.contains(where: { hasPeriod($0) && $0.isGranted }) else {
      return outcomes
    }
    if let end = unseenPeriodEnd(at: now) {
      outcomes.append(Outcome(nil, .activeByStatus, until: end))
    } else if let newest, let end = provisionalEnd(of: newest, at: now),
      let place = outcomes.firstIndex(where: { $0.purchase == newest })
    {
      outcomes[place] = Outcome(newest, .renewalAwaited, until: end)
    }
    return outcomes
  }

  private func hasPeriod(_ outcome: Outcome) -> Bool {
    outcome.purchase.map { purchases[$0].expiresDate != nil } ?? true
  }

  private func outcome(
    of index: Int, at now: Timestamp, isNewest: Bool, _ denial: StatusDenial
  ) -> Outcome? {
    let purchase = purchases[index]
    if purchase.kind == .consumable { return nil }
    if let reason = purchase.revokedReason { return Outcome(index, reason) }
    switch purchase.kind {
    case .period(let expiresDate):
      return period(index, expiresDate, at: now, isNewest: isNewest, denial)
    case .owned: return owned(index, at: now)
    case .term(let length): return term(index, length, at: now)
    case .unknown: return Outcome(index, .unknownProductType)
    case .consumable: return nil
    }
  }

  private func period(
    _ index: Int, _ expiresDate: Timestamp, at now: Timestamp, isNewest: Bool,
    _ denial: StatusDenial
  ) -> Outcome {
    let grant = grant(index, expiresDate, at: now, isNewest: isNewest)
    if let grant, grant.isGranted, denial == .denies {
      return Outcome(index, .revokedByStatus)
    }
    if let grant { return grant }
    if now >= expiresDate {
      return Outcome(index, isNewest && isInBillingRetry ? .billingRetry : .expired)
    }
    if purchases[index].isMovedToBundle, now >= chain.succeededAt ?? .distantFuture {
      return Outcome(index, .movedToBundle)
    }
    return Outcome(index, .replaced)
  }

  /// The grant of a period or its grace, or that it has not begun.
  private func grant(
    _ index: Int, _ expiresDate: Timestamp, at now: Timestamp, isNewest: Bool
  ) -> Outcome? {
    let purchase = purchases[index]
    if now < expiresDate, !purchase.copy.isUpgraded {
      let end = end(of: index)
      let start = start(of: index)
      if start <= now, now < end { return Outcome(index, .activePeriod, until: end) }
      if now < start, start < end { return Outcome(index, .notBegun) }
    }
    if isNewest, now >= expiresDate, !purchase.isMovedToBundle, let end = graceEnd(of: index),
      now < end
    {
      return Outcome(index, .gracePeriod, until: end)
    }
    return nil
  }

  private var isInBillingRetry: Bool {
    chain.renewal?.isInBillingRetryPeriod == true || status?.entry.status == .billingRetry
  }

  private func provisionalEnd(of newest: Int, at now: Timestamp) -> Timestamp? {
    let purchase = purchases[newest]
    guard !purchase.isRevoked, !purchase.isMovedToBundle, let expiresDate = purchase.expiresDate,
      now >= expiresDate, let end = leewayEnd(of: newest), now < end
    else { return nil }
    return end
  }

  private func owned(_ index: Int, at now: Timestamp) -> Outcome {
    guard purchases[index].isMovedToBundle else { return Outcome(index, .owned) }
    let end = chain.succeededAt
    return now < end ?? .distantFuture
      ? Outcome(index, .owned, until: end) : Outcome(index, .movedToBundle)
  }

  private func term(_ index: Int, _ length: TimeSpan?, at now: Timestamp) -> Outcome {
    guard let length else { return Outcome(index, .unknownLength) }
    let purchase = purchases[index]
    if now < purchase.purchaseDate { return Outcome(index, .notBegun) }
    var end = purchase.purchaseDate.adding(length)
    if purchase.isMovedToBundle { end = min(end, chain.succeededAt ?? end) }
    return now < end ? Outcome(index, .activeTerm, until: end) : Outcome(index, .expired)
  }
}

extension Purchase {
  /// Why it was taken back, if it was.
  var revokedReason: DecisionReason? {
    if let standing, standing.endsAccess { return standing.revocationClass.denial }
    return isRevokedWithoutDate ? .revokedWithoutDate : nil
  }
}

extension RevocationClass {
  /// What a decision gives as its reason where this ends access.
  var denial: DecisionReason {
    switch self {
    case .fullRefund, .proratedRefund: .refunded
    case .familyRevocation: .familyRevoked
    case .assignmentRevocation: .assignmentRevoked
    case .bundleMove, .unclassified: .revoked
    }
  }
}
