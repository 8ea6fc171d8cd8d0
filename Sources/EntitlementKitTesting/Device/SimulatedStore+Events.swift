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
    let length = TimeSpan(
      milliseconds: end.millisecondsSince1970 - last.purchaseDate.millisecondsSince1970)
    var next = continuation(
      of: last, with: renewals[originalID]?.productID ?? last.productID, from: end, for: length)
    next.isRenewal = true
    next.isHidden = hidden
    next.shownFrom = now
    purchases.append(next)
    payAgain(originalID)
    return next.id
  }

  /// A subscription that ended begins anew, now, in the chain of before.
  package mutating func resubscribe(
    _ originalID: String, to productID: String, period: TimeSpan
  ) -> String? {
    guard let last = newest(of: originalID) else { return nil }
    let next = continuation(of: last, with: productID, from: now, for: period)
    purchases.append(next)
    payAgain(originalID)
    changeRenewal(originalID) {
      $0.productID = productID
      $0.willRenew = true
      $0.isRevokedByStatus = false
    }
    return next.id
  }

  /// A higher tier of the same subscription, from now on.
  package mutating func upgrade(
    _ originalID: String, to productID: String, period: TimeSpan
  ) -> String? {
    guard let last = newest(of: originalID) else { return nil }
    let next = continuation(of: last, with: productID, from: now, for: period)
    purchases.append(next)
    change(last.id) { $0.isUpgraded = true }
    changeRenewal(originalID) { $0.productID = productID }
    return next.id
  }

  private mutating func continuation(
    of last: SimulatedPurchase, with productID: String, from begin: Timestamp, for length: TimeSpan
  ) -> SimulatedPurchase {
    SimulatedPurchase(
      id: nextID(), originalID: last.originalID, productID: productID, type: last.type,
      group: last.group, purchaseDate: begin, expiresDate: begin.adding(length), quantity: 1,
      ownership: last.ownership, owner: last.owner, isRenewal: false, price: last.price,
      appAccountToken: last.appAccountToken, signedDate: now,
      shownFrom: now.adding(switches.listingLag))
  }

  private mutating func payAgain(_ originalID: String) {
    changeRenewal(originalID) { renewal in
      renewal.isInBillingRetry = false
      renewal.graceEnd = nil
      renewal.intent = nil
    }
  }

  /// Takes a transaction back.
  package mutating func revoke(
    _ id: String, type: RevocationType?, reason: RevocationReason, percentage: Int32?
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

  /// Ends a bundle and begins one of its subscriptions alone, where the bundle's period ends: a new
  /// chain names the bundle's.
  package mutating func leaveBundle(
    _ originalID: String, to productID: String, group: String, period: TimeSpan
  ) -> String? {
    guard let last = newest(of: originalID) else { return nil }
    changeRenewal(originalID) {
      $0.willRenew = false
      $0.intent = Self.unbundled
    }
    var next = continuation(
      of: last, with: productID, from: last.expiresDate ?? now, for: period)
    next.startChain(in: group, after: originalID)
    purchases.append(next)
    renewals[next.id] = SimulatedRenewal(
      originalID: next.id, productID: productID, signedDate: now)
    return next.id
  }

  /// Apple's number for a subscription that goes on without its bundle.
  private static let unbundled = ExpirationIntent(rawValue: 6)
}

extension SimulatedPurchase {
  fileprivate mutating func startChain(in group: String, after previous: String) {
    originalID = id
    self.group = group
    previousOriginalID = previous
  }
}
