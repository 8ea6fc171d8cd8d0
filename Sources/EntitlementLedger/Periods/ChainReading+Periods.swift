import AppStoreModel

extension ChainReading {
  /// When a period begins: at its purchase, or at its first signing where no other known period
  /// reaches up to its purchase.
  func start(of index: Int) -> Timestamp {
    let period = purchases[index]
    guard period.made < period.purchaseDate else { return period.purchaseDate }
    return periods.reaches(period.purchaseDate) ? period.purchaseDate : period.made
  }

  /// When a period ends: at its expiry, or where one made later was bought.
  func end(of index: Int) -> Timestamp {
    let period = purchases[index]
    var end = period.expiresDate ?? .distantPast
    // What was made later was not bought before this one was made.
    let ender = periods.first(boughtFrom: period.made, before: end) {
      $0 > index && ends(purchases[$0], period)
    }
    if let ender { end = purchases[ender].purchaseDate }
    if period.isMovedToBundle, let successor = chain.succeededAt { end = min(end, successor) }
    return end
  }

  /// Whether a period made later ends an earlier one; a refunded upgrade does too.
  private func ends(_ later: Purchase, _ earlier: Purchase) -> Bool {
    later.isEffective && !earlier.stoodRevoked(at: later.purchaseDate)
      && !outlives(earlier, later)
  }

  /// Whether Apple says that the earlier period lives on after the later one was over.
  private func outlives(_ earlier: Purchase, _ later: Purchase) -> Bool {
    guard let status, status.entry.status == .active, let copy = earlier.state.newestFromAPI,
      copy.revocation == nil, !copy.isUpgraded
    else { return false }
    let isMoved = later.isMovedToBundle && chain.succeededAt != nil
    let isTaken = later.standing?.endsAccess == true || isMoved
    let revoked = isTaken ? later.standing?.key.revocationDate : nil
    let over = revoked ?? later.expiresDate ?? .distantFuture
    let known = (revoked ?? later.purchaseDate).adding(StatusEntry.lag)
    return status.clock >= over && copy.signedDate >= known
  }

  /// The period made last, leaving out upgraded ones and ones taken back before they began.
  var newest: Int? {
    purchases.lastIndex { $0.isEffective }
  }

  /// The newest of those that were bought by then.
  func newestBegun(by now: Timestamp) -> Int? {
    purchases.lastIndex { $0.isEffective && $0.purchaseDate <= now }
  }

  func graceEnd(of index: Int) -> Timestamp? {
    let grace = chain.renewal?.gracePeriodExpiresDate
    guard let status, status.entry.status == .billingGracePeriod,
      status.entry.transactionId == purchases[index].copy.transactionId,
      let beside = status.entry.renewal?.gracePeriodExpiresDate
    else { return grace }
    return max(beside, grace ?? beside)
  }

  /// Until when the old answer stays while a renewal is awaited; `nil` where none is.
  func leewayEnd(of index: Int) -> Timestamp? {
    guard let expiresDate = purchases[index].expiresDate, let renewal = chain.renewal,
      renewal.autoRenewStatus == .on, renewal.isInBillingRetryPeriod != true,
      renewal.expirationIntent == nil
    else { return nil }
    if let status, status.entry.status == .expired || status.entry.status == .billingRetry,
      status.clock >= expiresDate
    {
      return nil
    }
    return expiresDate.adding(policy.entry(at: expiresDate).renewalLeeway)
  }
}
