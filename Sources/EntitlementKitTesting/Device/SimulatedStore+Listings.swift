package import AppStoreModel

extension SimulatedStore {
  /// Whether listings show anything at all.
  private var isSilent: Bool { owner == nil || switches.listsNothing }

  /// What this device knows of and whose it is, in the order in which StoreKit would list it.
  private var visible: [SimulatedPurchase] {
    if isSilent { return [] }
    let mine = purchases.filter { !$0.isHidden && $0.owner == owner && $0.shownFrom <= now }
    let sorted = mine.sorted { left, right in
      left.purchaseDate != right.purchaseDate
        ? left.purchaseDate < right.purchaseDate : left.id < right.id
    }
    return switches.listsNewestFirst ? sorted.reversed() : sorted
  }

  /// `Transaction.currentEntitlements`.
  package var listed: [SimulatedPurchase] {
    visible.filter { purchase in
      guard purchase.revocation == nil || switches.listsRevoked else { return false }
      switch purchase.type {
      case .nonConsumable, .nonRenewingSubscription: return true
      case .consumable: return switches.listsConsumables
      case .autoRenewableSubscription, .unknown: return isListed(subscription: purchase)
      }
    }
  }

  private func isListed(subscription purchase: SimulatedPurchase) -> Bool {
    if purchase.isUpgraded {
      return switches.listsUpgraded && purchase.expiresDate.map { now < $0 } ?? false
    }
    guard shown(of: purchase.originalID)?.id == purchase.id else { return false }
    switch state(of: purchase.originalID) {
    case .active, .billingGracePeriod: return true
    case .billingRetry: return switches.listsBillingRetry
    case .revoked: return switches.listsRevoked
    case .expired, .unknown: return false
    }
  }

  /// `Transaction.all`: finished consumables are missing, unless they were taken back.
  package var history: [SimulatedPurchase] {
    visible.filter { $0.type != .consumable || !$0.isFinished || $0.revocation != nil }
  }

  /// `Transaction.unfinished`.
  package var unfinished: [SimulatedPurchase] { visible.filter { !$0.isFinished } }

  /// The chains of a group that this device knows of.
  package func chains(ofGroup group: String) -> [String] {
    Set(visible.filter { $0.group == group }.map(\.originalID)).sorted()
  }

  /// The transaction that counts as this device is shown it: a renewal comes with a gap.
  package func shown(of originalID: String) -> SimulatedPurchase? {
    guard let newest = newest(of: originalID), isInGap(newest) else {
      return newest(of: originalID)
    }
    return chain(originalID).last { !$0.isUpgraded && !$0.isHidden && $0.id != newest.id }
  }

  private func isInGap(_ purchase: SimulatedPurchase) -> Bool {
    purchase.isRenewal && now >= purchase.purchaseDate
      && now < purchase.purchaseDate.adding(switches.renewalGap)
  }

  /// Where a subscription stands.
  package func state(of originalID: String) -> SubscriptionStatus {
    let renewal = renewals[originalID]
    if renewal?.isRevokedByStatus == true { return .revoked }
    guard let newest = shown(of: originalID), let end = newest.expiresDate else {
      return .expired
    }
    if newest.revocation != nil { return .revoked }
    if now < end { return .active }
    if let grace = renewal?.graceEnd, now < grace { return .billingGracePeriod }
    return renewal?.isInBillingRetry == true ? .billingRetry : .expired
  }
}
