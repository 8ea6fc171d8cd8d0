import AppStoreModel

// Rules 3 to 6.
extension NaiveLedger {
  enum Ground: String {
    case period, grace, status, leeway, lifetime, season
    case revoked, statusRevoked, over, nothing
  }

  struct Decision: Hashable {
    var ground: Ground
    var isDoubtful = false

    var isGranted: Bool {
      [.period, .grace, .status, .leeway, .lifetime, .season].contains(ground)
    }
  }

  /// `term` is how long a non-renewing subscription lasts.
  func decision(at now: Timestamp, term: TimeSpan? = nil) -> Decision {
    var decision = Decision(ground: ground(at: now, term: term))
    decision.isDoubtful = isDoubtful(while: decision.isGranted, at: now)
    return decision
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
    let newest = newestPeriod(periods.filter { start(of: $0, among: periods) <= now })
    return newest?.revoked != nil || covering.contains { $0.revoked != nil } ? .revoked : .over
  }

  private func isInGrace(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let newest = newestPeriod(periods), newest.revoked == nil, now >= newest.expires else {
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
    guard let status = statusInForce, status.status == 5 else { return false }
    let begun = newestPeriod(periods.filter { start(of: $0, among: periods) <= now })
    if isExplained(status, newestBegun: begun) { return false }
    guard let begun else { return true }
    let reversals = revocations.compactMap(reversalDate)
    return status.clock >= begun.purchased && reversals.allSatisfy { status.clock >= $0 }
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
      $0.revoked != nil && covers($0, among: periods, at: now)
    }
    return !isOutdated && !isRevokedNow
  }

  private func isInLeeway(_ periods: [Period], at now: Timestamp) -> Bool {
    guard let newest = newestPeriod(periods), now >= newest.expires,
      now < newest.expires.adding(Self.leeway), let renewal = newestRenewal, renewal.autoRenews,
      renewal.isInRetry != true, renewal.expirationIntent == nil
    else { return false }
    let isToldOtherwise = statusWords.contains {
      ($0.status == 2 || $0.status == 3) && $0.clock >= newest.expires
    }
    let before = newest.expires.subtracting(TimeSpan(milliseconds: 1))
    return !isToldOtherwise && Decision(ground: subscriptionGround(at: before)).isGranted
  }

  private func isDoubtful(while isGranted: Bool, at now: Timestamp) -> Bool {
    let isReshownClean = transactionIds.contains { id in
      standing(id) != nil && newest(copies(of: id))?.revoked == nil
    }
    guard let status = statusInForce else { return isReshownClean || hasEqualClocks }
    let periods = periods(at: now)
    let begun = newestPeriod(periods.filter { start(of: $0, among: periods) <= now })
    let isAtOdds =
      isGranted ? [5, 2].contains(status.status) : [1, 4].contains(status.status)
    let isIgnored = status.status == 5 && isExplained(status, newestBegun: begun)
    return isAtOdds || isIgnored || isReshownClean || hasEqualClocks
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
