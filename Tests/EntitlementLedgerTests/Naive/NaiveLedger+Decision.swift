import AppStoreModel

// Rules 3 to 6.
extension NaiveLedger {
  enum Ground: String {
    case period, grace, status, leeway, lifetime, season
    case revoked, statusRevoked, over, nothing
  }

  struct Decision: Hashable {
    var ground: Ground
    var doubts: Set<Doubt> = []

    var isGranted: Bool {
      [.period, .grace, .status, .leeway, .lifetime, .season].contains(ground)
    }
  }

  /// `term` is how long a non-renewing subscription lasts.
  func decision(at now: Timestamp, term: TimeSpan? = nil) -> Decision {
    let ground = ground(at: now, term: term)
    return Decision(ground: ground, doubts: doubts(ground, at: now))
  }

  private func ground(at now: Timestamp, term: TimeSpan?) -> Ground {
    let ids = transactionIds
    switch copies.first?.copy.kind {
    case .consumable, nil: return .nothing
    case .lifetime:
      return ids.contains { revokedSince($0, at: now) == nil } ? .lifetime : .revoked
    case .season:
      guard let term else { return .nothing }
      let live = copies.map(\.copy).filter { revokedSince($0.id, at: now) == nil }
      if live.isEmpty { return .revoked }
      let isOn = live.contains { $0.purchased <= now && now < $0.purchased.adding(term) }
      return isOn ? .season : .over
    case .subscription, .unheardOf: return subscriptionGround(at: now)
    }
  }

  private func subscriptionGround(at now: Timestamp) -> Ground {
    let periods = periods(at: now)
    if fiveDenies(periods, at: now) { return .statusRevoked }
    let covering = periods.filter { covers($0, among: periods, at: now) }
    if covering.contains(where: { $0.revoked == nil && !$0.isUpgraded }) { return .period }
    if isInGrace(periods, at: now) { return .grace }
    if oneGrants(periods, at: now) { return .status }
    if isInLeeway(periods, at: now) { return .leeway }
    let newest = newestBegun(periods, at: now)
    return newest?.revoked != nil || covering.contains { $0.revoked != nil } ? .revoked : .over
  }

  /// Every ground on which a subscription is granted: there may be more than one.
  func grants(at now: Timestamp) -> Set<Ground> {
    let periods = periods(at: now)
    let isOnPeriod = periods.contains {
      $0.revoked == nil && !$0.isUpgraded && covers($0, among: periods, at: now)
    }
    return Set(
      (isOnPeriod ? [.period] : []) + (isInGrace(periods, at: now) ? [.grace] : [])
        + (oneGrants(periods, at: now) ? [.status] : []))
  }

  private func isInGrace(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let newest = newestPeriod(periods), newest.revoked == nil, standing(newest.id) == nil,
      now >= newest.expires
    else {
      return false
    }
    var until = newestRenewal?.graceUntil ?? .distantPast
    if let status = statusInForce, status.status == 4, status.id == newest.id {
      until = max(until, status.renewal?.graceUntil ?? .distantPast)
    }
    return now < until
  }

  // A 5 that is not explained by something we know to be over.

  private func fiveDenies(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let status = statusInForce, fiveCounts(status, periods, at: now) else { return false }
    return !isExplained(status, newestBegun: newestBegun(periods, at: now))
  }

  /// Whether it is late enough to deny.
  private func fiveCounts(_ status: StatusWord, _ periods: [Period], at now: Timestamp) -> Bool {
    guard status.status == 5 else { return false }
    let begun = newestBegun(periods, at: now)?.purchased ?? .distantPast
    let reversals = revocations.compactMap(reversalDate)
    return status.clock >= begun && reversals.allSatisfy { status.clock >= $0 }
  }

  private func newestBegun(_ periods: [Period], at now: Timestamp) -> Period? {
    newestPeriod(periods.filter { $0.purchased <= now })
  }

  private func isExplained(_ status: StatusWord, newestBegun begun: Period?) -> Bool {
    if let date = status.revocationDate,
      let shown = revocations(of: status.id).first(where: { $0.date == date })
    {
      if reversalDate(of: shown) != nil || kind(of: shown) == .bundleMove { return true }
      if let begun, date < begun.purchased { return true }
    }
    guard let begun else { return false }
    return apiCopies(of: begun.id).contains {
      $0.revoked == nil && $0.signed >= status.clock.adding(Self.lag)
    }
  }

  private func oneGrants(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let status = statusInForce, status.status == 1,
      let until = status.renewal?.renewalDate, now < until
    else { return false }
    if periods.contains(where: { !$0.isUpgraded && $0.expires >= until }) { return false }
    let expiries = Dictionary(uniqueKeysWithValues: periods.map { ($0.id, $0.expires) })
    let isOutdated = revocations.contains {
      $0.date < expiries[$0.id] ?? .distantPast && status.clock < $0.date
    }
    let isRevokedNow = periods.contains {
      (standing($0.id) != nil || undatedRevocation($0.id) != nil)
        && $0.purchased <= now && now < $0.expires
    }
    return !isOutdated && !isRevokedNow
  }

  private func isInLeeway(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let newest = newestPeriod(periods), now >= newest.expires,
      now < newest.expires.adding(Self.leeway), let renewal = newestRenewal, renewal.autoRenews,
      renewal.isInRetry != true, renewal.expirationIntent == nil, standing(newest.id) == nil
    else { return false }
    let status = statusInForce
    let isToldOtherwise =
      [2, 3].contains(status?.status) && status?.clock ?? .distantPast >= newest.expires
    let before = newest.expires.subtracting(TimeSpan(milliseconds: 1))
    return !isToldOtherwise && Decision(ground: subscriptionGround(at: before)).isGranted
  }

  /// Why Apple is to be asked about the chain.
  enum Doubt: String {
    case equalClocks, statusAtOdds, statusExplained, cleanCopy, reversalUnsettled,
      revocationWithoutDate, renewalAwaited, unknownStatus
  }

  private func doubts(_ ground: Ground, at now: Timestamp) -> Set<Doubt> {
    var doubts: Set<Doubt> = ground == .leeway ? [.renewalAwaited] : []
    if hasEqualClocks { doubts.insert(.equalClocks) }
    for id in transactionIds {
      if undatedRevocation(id) != nil { doubts.insert(.revocationWithoutDate) }
      if standing(id) != nil, newest(copies(of: id))?.revoked == nil { doubts.insert(.cleanCopy) }
      if isUnsettled(id) { doubts.insert(.reversalUnsettled) }
    }
    if isNewestStatusUnknown { doubts.insert(.unknownStatus) }
    guard let status = statusInForce else { return doubts }
    let isGranted = Decision(ground: ground).isGranted
    if (isGranted ? [5, 2] : [1, 4]).contains(status.status) { doubts.insert(.statusAtOdds) }
    if ground == .statusRevoked, !grants(at: now).isDisjoint(with: [.period, .grace]) {
      doubts.insert(.statusAtOdds)
    }
    let periods = periods(at: now)
    if fiveCounts(status, periods, at: now),
      isExplained(status, newestBegun: newestBegun(periods, at: now))
    {
      doubts.insert(.statusExplained)
    }
    return doubts
  }

  /// Whether Apple's API still showed the last revocation less than the lag from the notice that
  /// undid it, and has not been read since the lag was over.
  private func isUnsettled(_ id: String) -> Bool {
    guard let last = revocations(of: id).last, let shown = last.lastShownByAPI else { return false }
    let told = reversalNotices(of: id).filter { date in
      date >= last.date && shown < date.adding(Self.lag)
    }
    guard let date = told.min(), shown > date.subtracting(Self.lag) else { return false }
    return !apiCopies(of: id).contains {
      $0.revoked == nil && $0.signed >= date.adding(Self.lag)
    }
  }

  private var hasEqualClocks: Bool {
    let isTwiceSigned = transactionIds.contains { id in
      let newest = newest(copies(of: id))
      return copies(of: id).contains { $0.signed == newest?.signed && $0 != newest }
    }
    let words = statusWords.filter { $0.clock == statusInForce?.clock }
    return isTwiceSigned || Set(words).count > 1
  }
}
