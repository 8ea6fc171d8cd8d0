package import AppStoreModel

extension SimulatedAppStore {
  /// Charges for the next period: DID_RENEW, for the payer and for whoever shares the subscription.
  ///
  /// The App Store renews up to a day before the end; the new period begins at that end all the same.
  ///
  /// - Returns: the payer's new `transactionId`.
  @discardableResult
  package mutating func renew(
    _ originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let subscription = try chain(originalTransactionId)
    let begin = end(of: subscription)
    return try renew(subscription, from: begin, nil, sharedFrom: nil, at: now)
  }

  /// Charges after a failed payment: DID_RENEW/BILLING_RECOVERY.
  ///
  /// Within the grace period the old dates stay; after it the period begins at the recovery.
  ///
  /// - Returns: the payer's new `transactionId`.
  @discardableResult
  package mutating func recover(
    _ originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let subscription = try chain(originalTransactionId)
    guard subscription.isInBillingRetry else { throw .notPaidYet(originalTransactionId) }
    let isInGrace = status(of: subscription, at: now) == .billingGracePeriod
    let begin = isInGrace ? end(of: subscription) : now
    return try renew(subscription, from: begin, .billingRecovery, sharedFrom: nil, at: now)
  }

  private mutating func renew(
    _ subscription: Subscription, from begin: Timestamp, _ subtype: NotificationSubtype?,
    sharedFrom: String?, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let product = try product(subscription.nextProductId)
    var renewed = subscription.renewed(into: product, at: begin)
    let payload = renewalPayload(product, subscription, renewed, from: begin)
    let original = subscription.originalTransactionId
    let id = keep(
      payload, of: subscription.customer, continuing: original, sharedFrom: sharedFrom, at: now)
    renewed.transactionIds.append(id)
    keep(renewed)
    notify(.didRenew, subtype, about: id, at: now)
    for share in shares(of: original) where isShared(share) {
      var share = share
      share.nextProductId = product.id
      _ = try renew(share, from: begin, subtype, sharedFrom: id, at: now)
    }
    return id
  }

  private func renewalPayload(
    _ product: SimulatedProduct, _ before: Subscription, _ renewed: Subscription,
    from begin: Timestamp
  ) -> JWSTransactionDecodedPayload {
    var payload = newPayload(product, before.customer, offer: before.nextOffer, at: begin)
    payload.transactionReason = .renewal
    payload.appAccountToken = before.appAccountToken
    payload.quantity = before.seats
    if before.nextOffer == nil, let price = renewed.price { payload.price = price.milliunits }
    if let info = renewed.advancedCommerce { payload.advancedCommerceInfo = info }
    payload.commit(renewed.commitment, product)
    if before.sharedFrom != nil {
      payload.becomeShare(until: payload.expiresDate, as: before.ownership)
    }
    return payload
  }

  /// Turns renewal off or on: DID_CHANGE_RENEWAL_STATUS.
  ///
  /// A monthly plan that binds for longer goes on being paid until its run is over.
  package mutating func setAutoRenewal(
    _ isOn: Bool, of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    try change(originalTransactionId) { subscription in
      if subscription.commitment == nil {
        subscription.autoRenews = isOn
      } else {
        subscription.commitment?.renews = isOn
      }
    }
    let subtype = isOn ? NotificationSubtype.autoRenewEnabled : .autoRenewDisabled
    try notify(.didChangeRenewalStatus, subtype, newestOf: originalTransactionId, at: now)
  }

  /// Fails to charge at the end of the period: DID_FAIL_TO_RENEW, GRACE_PERIOD if there is one.
  package mutating func failToRenew(
    _ originalTransactionId: String, grace: TimeSpan? = nil, at now: Timestamp
  ) throws(StoreRefusal) {
    let end = end(of: try chain(originalTransactionId))
    try change(originalTransactionId) { subscription in
      subscription.isInBillingRetry = true
      subscription.expirationIntent = .billingError
      subscription.gracePeriodExpiresDate = grace.map { end.adding($0) }
    }
    try notify(
      .didFailToRenew, grace == nil ? nil : .gracePeriod, newestOf: originalTransactionId, at: now)
  }

  /// Ends the grace period: GRACE_PERIOD_EXPIRED.
  package mutating func endGrace(
    of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try chain(originalTransactionId).isInBillingRetry else {
      throw .notPaidYet(originalTransactionId)
    }
    try change(originalTransactionId) { $0.hasLeftGrace = true }
    try notify(.gracePeriodExpired, newestOf: originalTransactionId, at: now)
  }

  /// Ends a subscription: EXPIRED, with the subtype that the intent asks for.
  package mutating func expire(
    _ originalTransactionId: String, _ intent: ExpirationIntent = .customerCancelled,
    at now: Timestamp
  ) throws(StoreRefusal) {
    try change(originalTransactionId) { subscription in
      subscription.autoRenews = false
      subscription.isInBillingRetry = false
      subscription.expirationIntent = intent
      subscription.gracePeriodExpiresDate = nil
      subscription.hasEnded = true
    }
    try notify(.expired, intent.subtype, newestOf: originalTransactionId, at: now)
  }
}

extension Subscription {
  /// What is known of it once the next period is paid.
  fileprivate func renewed(into product: SimulatedProduct, at begin: Timestamp) -> Subscription {
    var renewed = self
    if product.id != productId { renewed.price = nil }
    if let increase = priceIncrease { renewed.price = increase.price }
    renewed.priceIncrease = nil
    renewed.commitment = commitment?.next(product, at: begin)
    let staysOff = commitment.map { !$0.renews && renewed.commitment?.number == $0.total } ?? false
    renewed.settle(on: product.id)
    renewed.autoRenews = !staysOff
    return renewed
  }
}

extension ExpirationIntent {
  /// How EXPIRED says it; absent for other reasons.
  fileprivate var subtype: NotificationSubtype? {
    switch self {
    case .customerCancelled: .voluntary
    case .billingError: .billingRetry
    case .noConsentToPriceIncrease: .priceIncrease
    case .productUnavailable: .productNotForSale
    case .other, .unknown: nil
    }
  }
}
