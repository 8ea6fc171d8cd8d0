package import AppStoreModel

extension SimulatedAppStore {
  /// Sells something: SUBSCRIBED or ONE_TIME_CHARGE.
  ///
  /// A customer whose subscription of the group has ended continues the same chain.
  ///
  /// - Returns: the new `transactionId`.
  @discardableResult
  package mutating func buy(
    _ productId: String, by customer: Customer, quantity: Int32 = 1, offer: SimulatedOffer? = nil,
    at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let product = try product(productId)
    var payload = newPayload(product, customer, offer: offer, at: now)
    payload.quantity = quantity
    guard let group = product.group else {
      let id = keep(payload, of: customer, continuing: nil)
      notify(.oneTimeCharge, about: id, at: now)
      return id
    }
    return try subscribe(payload, group, product, customer, at: now)
  }

  private mutating func subscribe(
    _ payload: JWSTransactionDecodedPayload, _ group: String, _ product: SimulatedProduct,
    _ customer: Customer, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let earlier = order.compactMap { subscriptions[$0] }
      .last { $0.customer == customer && $0.group == group && $0.sharedFrom == nil }
    guard let earlier else {
      let id = keep(payload, of: customer, continuing: nil)
      begin(product, group, customer, with: id, at: now)
      notify(.subscribed, .initialBuy, about: id, at: now)
      return id
    }
    guard ![.active, .billingGracePeriod].contains(status(of: earlier, at: now)) else {
      throw .alreadySubscribed(group: group)
    }
    let id = keep(payload, of: customer, continuing: earlier.originalTransactionId)
    restart(earlier, product.id, with: id, at: now)
    notify(.subscribed, .resubscribe, about: id, at: now)
    return id
  }

  private mutating func begin(
    _ product: SimulatedProduct, _ group: String, _ customer: Customer, with id: String,
    sharedFrom: String? = nil, at now: Timestamp
  ) {
    subscriptions[id] = Subscription(
      originalTransactionId: id, customer: customer, group: group, productId: product.id,
      nextProductId: product.id, transactionIds: [id], runStart: now, sharedFrom: sharedFrom)
  }

  private mutating func restart(
    _ subscription: Subscription, _ productId: String, with id: String, at now: Timestamp
  ) {
    var subscription = subscription
    let gap = now.subtracting(.days(60))
    if end(of: subscription) < gap { subscription.runStart = now }
    subscription.transactionIds.append(id)
    subscription.settle(on: productId)
    subscriptions[subscription.originalTransactionId] = subscription
  }

  /// Moves to a dearer product at once: DID_CHANGE_RENEWAL_PREF/UPGRADE.
  ///
  /// - Returns: the new `transactionId`.
  @discardableResult
  package mutating func upgrade(
    _ originalTransactionId: String, to productId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    var subscription = try chain(originalTransactionId)
    let product = try product(productId)
    guard product.group == subscription.group else { throw .anotherGroup(productId) }
    if let replaced = currentPeriod(of: subscription, at: now)?.transactionId {
      transactions[replaced]?.payload.isUpgraded = true
    }
    let payload = newPayload(product, subscription.customer, offer: nil, at: now)
    let id = keep(payload, of: subscription.customer, continuing: originalTransactionId)
    subscription.transactionIds.append(id)
    subscription.settle(on: productId)
    subscriptions[originalTransactionId] = subscription
    notify(.didChangeRenewalPref, .upgrade, about: id, at: now)
    return id
  }

  /// Gives a family member a share of a purchase: SUBSCRIBED or ONE_TIME_CHARGE, FAMILY_SHARED.
  ///
  /// - Returns: the member's own `transactionId`.
  @discardableResult
  package mutating func share(
    _ transactionId: String, with member: Customer, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let purchase = try transaction(transactionId).payload
    let product = try product(purchase.productId ?? "")
    guard product.isFamilyShareable else { throw .notFamilyShareable(product.id) }
    var payload = newPayload(product, member, offer: nil, at: now)
    payload.becomeShare(until: purchase.expiresDate)
    let id = keep(payload, of: member, continuing: nil, sharedFrom: transactionId)
    if let group = product.group {
      let payer = purchase.originalTransactionId
      begin(product, group, member, with: id, sharedFrom: payer, at: now)
      notify(.subscribed, .initialBuy, about: id, at: now)
    } else {
      notify(.oneTimeCharge, about: id, at: now)
    }
    return id
  }
}

extension JWSTransactionDecodedPayload {
  /// Turns a purchase into a family member's share of it: no price, the payer's period.
  mutating func becomeShare(until end: Timestamp?) {
    inAppOwnershipType = .familyShared
    price = nil
    currency = nil
    expiresDate = end
  }
}

extension Subscription {
  /// Forgets what went wrong, after a payment.
  mutating func settle(on productId: String) {
    self.productId = productId
    nextProductId = productId
    autoRenews = true
    expirationIntent = nil
    isInBillingRetry = false
    gracePeriodExpiresDate = nil
  }
}
