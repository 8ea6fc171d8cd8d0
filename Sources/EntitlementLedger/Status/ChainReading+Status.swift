import AppStoreModel

/// What status 5 does to an answer.
enum StatusDenial {
  case none
  /// It would deny, and something else explains it.
  case explained
  case denies
}

extension ChainReading {
  func denial(at now: Timestamp) -> StatusDenial {
    guard let status, status.entry.status == .revoked else { return .none }
    let newest = newestBegun(by: now).map { purchases[$0] }
    if let newest, status.clock < newest.purchaseDate { return .none }
    if revocations.contains(where: { status.clock < ($0.reversedAt ?? .distantPast) }) {
      return .none
    }
    return isExplained(status, newest) ? .explained : .denies
  }

  private func isExplained(_ status: StatusInForce, _ newest: Purchase?) -> Bool {
    if let date = status.entry.revocationDate {
      let beside = revocations.first {
        $0.key.revocationDate == date && $0.key.transactionId == status.entry.transactionId
      }
      if let beside, !beside.stands || beside.revocationClass == .bundleMove { return true }
      if let newest, date < newest.purchaseDate { return true }
    }
    guard let newest else { return false }
    if perspective == .device, newest.copy.revocation == nil, newest.copy.signedDate > status.clock
    {
      return true
    }
    guard let clean = newest.state.newestCleanFromAPI else { return false }
    return clean.signedDate >= status.clock.adding(StatusEntry.lag)
  }

  /// Until when status 1 grants a period that we have not seen; `nil` where it does not.
  func unseenPeriodEnd(at now: Timestamp) -> Timestamp? {
    guard let status, status.entry.status == .active,
      let end = status.entry.renewal?.renewalDate, now < end,
      purchases.allSatisfy({ $0.copy.isUpgraded || ($0.expiresDate ?? .distantPast) < end }),
      !revocations.contains(where: { cutsShort($0) && status.clock < $0.key.revocationDate }),
      !purchases.contains(where: { $0.isTakenBack && covers($0, now) })
    else { return nil }
    // Where a period that stands revoked begins, what the status said is over.
    let nextDenial = purchases.filter { $0.isTakenBack && $0.purchaseDate > now }
      .map(\.purchaseDate).min()
    return min(end, nextDenial ?? end)
  }

  /// Whether it took away time that was paid for.
  private func cutsShort(_ answer: RevocationAnswer) -> Bool {
    guard let expiresDate = chain.transactions[answer.key.transactionId]?.newest.expiresDate else {
      return false
    }
    return answer.key.revocationDate < expiresDate
  }

  private func covers(_ purchase: Purchase, _ now: Timestamp) -> Bool {
    guard let expiresDate = purchase.expiresDate else { return false }
    return purchase.purchaseDate <= now && now < expiresDate
  }
}

extension Purchase {
  fileprivate var isTakenBack: Bool {
    standing != nil || isRevokedWithoutDate
  }
}
