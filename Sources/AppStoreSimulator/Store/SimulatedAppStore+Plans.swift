package import AppStoreModel

extension SimulatedAppStore {
  /// Moves to a dearer product, or to one of the same rank, at once: DID_CHANGE_RENEWAL_PREF/UPGRADE.
  ///
  /// - Returns: the new `transactionId`.
  @discardableResult
  package mutating func upgrade(
    _ originalTransactionId: String, to productId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let id = try replace(originalTransactionId, with: productId, nil, at: now)
    notify(.didChangeRenewalPref, .upgrade, about: id, at: now)
    return id
  }

  /// Chooses what the next payment buys: DID_CHANGE_RENEWAL_PREF, DOWNGRADE unless it is withdrawn.
  package mutating func renewInto(
    _ productId: String, _ originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let isWithdrawn = try choose(productId, originalTransactionId)
    try notify(
      .didChangeRenewalPref, isWithdrawn ? nil : .downgrade, newestOf: originalTransactionId,
      at: now)
  }

  /// Moves to another product of the group as Apple does it: at once to a better one or to one of the
  /// same rank and length, else with the next payment.
  ///
  /// - Returns: the new `transactionId`; absent when the next payment makes it.
  @discardableResult
  package mutating func changePlan(
    _ originalTransactionId: String, to productId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String? {
    let old = try product(try chain(originalTransactionId).productId)
    let new = try product(productId)
    let isEqual = new.level == old.level && new.period == old.period && new.id != old.id
    if new.level < old.level || isEqual {
      return try upgrade(originalTransactionId, to: productId, at: now)
    }
    try renewInto(productId, originalTransactionId, at: now)
    return nil
  }

  /// Takes an offer while subscribed: OFFER_REDEEMED, of the plan itself with the next payment.
  ///
  /// - Parameters:
  ///   - offer: the better price.
  ///   - originalTransactionId: the chain.
  ///   - productId: another product, to which it moves as ``changePlan(_:to:at:)`` says.
  ///   - now: when.
  /// - Throws: the ``StoreRefusal`` of what is no subscription of this group.
  package mutating func redeem(
    _ offer: SimulatedOffer, _ originalTransactionId: String, to productId: String? = nil,
    at now: Timestamp
  ) throws(StoreRefusal) {
    let old = try product(try chain(originalTransactionId).productId)
    let new = try product(productId ?? old.id)
    if new.level < old.level {
      let id = try replace(originalTransactionId, with: new.id, offer, at: now)
      return notify(.offerRedeemed, .upgrade, about: id, at: now)
    }
    let isSame = try choose(new.id, originalTransactionId)
    try change(originalTransactionId) { $0.nextOffer = offer }
    try notify(
      .offerRedeemed, isSame ? nil : .downgrade, newestOf: originalTransactionId, at: now)
  }

  /// Announces a dearer price: PRICE_INCREASE, PENDING if the customer has to agree.
  package mutating func raisePrice(
    of originalTransactionId: String, to price: Money, needsConsent: Bool = true,
    at now: Timestamp
  ) throws(StoreRefusal) {
    try change(originalTransactionId) {
      $0.priceIncrease = PriceIncrease(
        price: price, needsConsent: needsConsent, isAccepted: !needsConsent)
    }
    try notify(
      .priceIncrease, needsConsent ? .pending : .accepted, newestOf: originalTransactionId,
      at: now)
  }

  /// Agrees to a dearer price: PRICE_INCREASE/ACCEPTED.
  package mutating func acceptPrice(
    of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try chain(originalTransactionId).priceIncrease != nil else {
      throw .noPriceIncrease(originalTransactionId)
    }
    try change(originalTransactionId) { $0.priceIncrease?.isAccepted = true }
    try notify(.priceIncrease, .accepted, newestOf: originalTransactionId, at: now)
  }

  /// Says that renewal was turned off after a price notice: DID_CHANGE_RENEWAL_STATUS, no subtype.
  package mutating func refusePrice(
    of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try chain(originalTransactionId).priceIncrease != nil else {
      throw .noPriceIncrease(originalTransactionId)
    }
    try change(originalTransactionId) { $0.autoRenews = false }
    try notify(.didChangeRenewalStatus, newestOf: originalTransactionId, at: now)
  }

  private mutating func replace(
    _ originalTransactionId: String, with productId: String, _ offer: SimulatedOffer?,
    at now: Timestamp
  ) throws(StoreRefusal) -> String {
    var subscription = try chain(originalTransactionId)
    let product = try product(productId)
    guard product.group == subscription.group else { throw .anotherGroup(productId) }
    if let replaced = currentPeriod(of: subscription, at: now)?.transactionId {
      amend(replaced, at: now) { $0.isUpgraded = true }
    }
    let payload = newPayload(product, subscription.customer, offer: offer, at: now)
    let id = keep(
      payload, of: subscription.customer, continuing: originalTransactionId, at: now)
    subscription.transactionIds.append(id)
    subscription.settle(on: productId)
    subscription.price = nil
    keep(subscription)
    return id
  }

  /// Returns whether the product is the one that is paid for now.
  private mutating func choose(
    _ productId: String, _ originalTransactionId: String
  ) throws(StoreRefusal) -> Bool {
    let product = try product(productId)
    let subscription = try chain(originalTransactionId)
    guard product.group == subscription.group else { throw .anotherGroup(productId) }
    try change(originalTransactionId) { $0.nextProductId = productId }
    return productId == subscription.productId
  }
}
