package import AppStoreModel

extension SimulatedStore {
  /// A purchase of this device's customer.
  package mutating func buy(
    _ productID: String, type: ProductType, group: String? = nil, period: TimeSpan? = nil,
    quantity: Int32 = 1, ownership: InAppOwnershipType = .purchased, owner: String? = nil,
    price: Int64 = 9_990, appAccountToken: String? = nil
  ) -> String {
    let id = nextID()
    purchases.append(
      SimulatedPurchase(
        id: id, originalID: id, productID: productID, type: type, group: group,
        purchaseDate: now, expiresDate: period.map { now.adding($0) }, quantity: quantity,
        ownership: ownership, owner: owner ?? self.owner ?? "", isRenewal: false, price: price,
        appAccountToken: appAccountToken, signedDate: now,
        shownFrom: now.adding(switches.listingLag)))
    if type == .autoRenewableSubscription {
      renewals[id] = SimulatedRenewal(originalID: id, productID: productID, signedDate: now)
    }
    return id
  }

  /// The next period of a subscription, beginning where the last one ended.
  package mutating func renew(_ originalID: String, hidden: Bool = false) -> String? {
    guard let last = newest(of: originalID), let end = last.expiresDate else { return nil }
    let id = nextID()
    let length = TimeSpan(
      milliseconds: end.millisecondsSince1970 - last.purchaseDate.millisecondsSince1970)
    var next = SimulatedPurchase(
      id: id, originalID: originalID, productID: renewals[originalID]?.productID ?? last.productID,
      type: last.type, group: last.group, purchaseDate: end, expiresDate: end.adding(length),
      quantity: last.quantity, ownership: last.ownership, owner: last.owner, isRenewal: true,
      price: last.price, appAccountToken: last.appAccountToken, signedDate: now, shownFrom: now)
    next.isHidden = hidden
    purchases.append(next)
    changeRenewal(originalID) { renewal in
      renewal.isInBillingRetry = false
      renewal.graceEnd = nil
      renewal.intent = nil
    }
    return id
  }

  /// A higher tier of the same subscription, from now on.
  package mutating func upgrade(
    _ originalID: String, to productID: String, period: TimeSpan
  ) -> String? {
    guard let last = newest(of: originalID) else { return nil }
    let id = nextID()
    purchases.append(
      SimulatedPurchase(
        id: id, originalID: originalID, productID: productID, type: last.type, group: last.group,
        purchaseDate: now, expiresDate: now.adding(period), quantity: 1,
        ownership: last.ownership, owner: last.owner, isRenewal: false, price: last.price,
        appAccountToken: last.appAccountToken, signedDate: now,
        shownFrom: now.adding(switches.listingLag)))
    change(last.id) { $0.isUpgraded = true }
    changeRenewal(originalID) { $0.productID = productID }
    return id
  }

  /// Takes a transaction back.
  package mutating func revoke(
    _ id: String, type: RevocationType, reason: RevocationReason, percentage: Int32?
  ) {
    let now = now
    change(id) {
      $0.revocation = SimulatedRevocation(
        date: now, reason: reason, type: type, percentage: percentage)
    }
    if let original = purchase(id)?.originalID { changeRenewal(original) { _ in } }
  }

  /// Undoes a refund: the fields are gone from the next copy.
  package mutating func restore(_ id: String) {
    change(id) { $0.revocation = nil }
    if let original = purchase(id)?.originalID { changeRenewal(original) { _ in } }
  }

  /// Moves a subscription into a bundle: a new chain names the old one.
  package mutating func moveToBundle(
    _ originalID: String, bundle productID: String, group: String, period: TimeSpan
  ) -> String? {
    guard let last = newest(of: originalID) else { return nil }
    let now = now
    change(last.id) {
      $0.revocation = SimulatedRevocation(date: now, reason: .upgradedToBundle)
    }
    changeRenewal(originalID) { $0.willRenew = false }
    let id = buy(productID, type: .autoRenewableSubscription, group: group, period: period)
    change(id) { $0.previousOriginalID = originalID }
    return id
  }
}
