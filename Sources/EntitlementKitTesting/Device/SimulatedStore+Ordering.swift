import AppStoreModel

extension SimulatedStore {
  /// What is sold under a product id.
  package func kind(of productID: String) -> SimulatedProductKind {
    catalog[productID] ?? .nonConsumable
  }

  /// What a confirmed purchase sheet hands back: a new transaction, or one that was held already.
  package mutating func order(
    _ productID: String, quantity: Int32 = 1, appAccountToken: String? = nil
  ) -> String {
    switch kind(of: productID) {
    case .consumable:
      return buy(
        productID, type: .consumable, quantity: quantity, appAccountToken: appAccountToken)
    case .nonRenewing:
      return buy(
        productID, type: .nonRenewingSubscription, quantity: quantity,
        appAccountToken: appAccountToken)
    case .nonConsumable:
      let held = purchases.last {
        $0.productID == productID && $0.revocation == nil && $0.owner == owner
          && $0.type == .nonConsumable && $0.ownership == .purchased
      }
      return held?.id
        ?? buy(productID, type: .nonConsumable, appAccountToken: appAccountToken)
    case .subscription(let group, let days, let level):
      let period = TimeSpan.days(Int64(days))
      return subscribeAgain(productID, in: group, at: level, for: period)
        ?? buy(
          productID, type: .autoRenewableSubscription, group: group, period: period,
          appAccountToken: appAccountToken)
    }
  }

  /// A group has one subscription: its tier changes, or it begins anew.
  private mutating func subscribeAgain(
    _ productID: String, in group: String, at level: Int, for period: TimeSpan
  ) -> String? {
    let held = purchases.last {
      $0.group == group && $0.owner == owner && $0.ownership == .purchased && !$0.isUpgraded
        && renewals[$0.originalID] != nil
    }
    guard let held, let last = newest(of: held.originalID) else { return nil }
    let state = state(of: held.originalID)
    guard state == .active || state == .billingGracePeriod else {
      return switches.resellsLapsed && last.revocation == nil
        ? last.id : resubscribe(held.originalID, to: productID, period: period)
    }
    if last.productID != productID, level < self.level(of: last.productID) {
      return upgrade(held.originalID, to: productID, period: period)
    }
    changeRenewal(held.originalID) { $0.productID = productID }
    return last.id
  }

  private func level(of productID: String) -> Int {
    if case .subscription(_, _, let level) = kind(of: productID) { level } else { 1 }
  }
}
