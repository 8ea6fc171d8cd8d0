import AppStoreModel

// Rule 2.
extension NaiveLedger {
  struct Period: Hashable {
    var id: String
    var purchased: Timestamp
    var expires: Timestamp
    var firstSigned: Timestamp
    var isUpgraded: Bool
    /// Since when it is revoked, as seen at the moment asked about.
    var revoked: Timestamp?
    /// Whether a date shows that.
    var isDated: Bool

    var made: Timestamp { min(purchased, firstSigned) }

    var isRevokedBeforePurchase: Bool {
      guard let revoked, isDated else { return false }
      return revoked < purchased
    }
  }

  /// In the order in which they were made.
  func periods(at now: Timestamp) -> [Period] {
    let periods = transactionIds.compactMap { id -> Period? in
      guard let copy = newest(copies(of: id)), let expires = copy.expires else { return nil }
      return Period(
        id: id, purchased: copy.purchased, expires: expires, firstSigned: firstSigned(id),
        isUpgraded: copy.isUpgraded, revoked: revokedSince(id, at: now),
        isDated: undatedRevocation(id) != revokedSince(id, at: now))
    }
    return periods.sorted { ($0.made, $0.purchased, $0.id) < ($1.made, $1.purchased, $1.id) }
  }

  /// Where it begins.
  func start(of period: Period, among periods: [Period]) -> Timestamp {
    let isReached = periods.contains {
      $0.id != period.id && $0.purchased < period.purchased && $0.expires >= period.purchased
    }
    return isReached ? period.purchased : period.made
  }

  /// Where it ends: at its `expiresDate` or where one made after it was bought.
  func end(of period: Period, among periods: [Period]) -> Timestamp {
    guard let place = periods.firstIndex(of: period) else { return period.expires }
    let enders = periods[(place + 1)...].filter { !endsNothing($0, of: period) }
    return min(period.expires, enders.map(\.purchased).min() ?? .distantFuture)
  }

  private func endsNothing(_ later: Period, of earlier: Period) -> Bool {
    if later.isUpgraded || later.isRevokedBeforePurchase { return true }
    let isBoughtWhileRevoked = revocations(of: earlier.id).contains { revocation in
      kind(of: revocation) != .bundleMove && later.purchased >= revocation.date
        && later.purchased < (reversalDate(of: revocation) ?? .distantFuture)
    }
    return isBoughtWhileRevoked || appleSaysLives(earlier, after: later)
  }

  /// Whether the later one is over and Apple said after that that the earlier one lives.
  private func appleSaysLives(_ earlier: Period, after later: Period) -> Bool {
    let revoked = later.isDated ? later.revoked : nil
    guard let status = statusInForce, status.status == 1,
      status.clock >= revoked ?? later.expires,
      let read = newest(apiCopies(of: earlier.id))
    else { return false }
    let since = revoked ?? later.purchased
    return read.signed >= since.adding(Self.lag) && read.revoked == nil && !read.isUpgraded
  }

  func covers(_ period: Period, among periods: [Period], at now: Timestamp) -> Bool {
    start(of: period, among: periods) <= now && now < end(of: period, among: periods)
  }

  /// The one made last, leaving out those upgraded and those revoked before they were to begin.
  func newestPeriod(_ periods: [Period]) -> Period? {
    periods.last { !$0.isUpgraded && !$0.isRevokedBeforePurchase }
  }
}
