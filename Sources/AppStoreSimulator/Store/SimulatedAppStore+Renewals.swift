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
    var renewed = subscription
    let product = try product(subscription.nextProductId)
    var payload = newPayload(product, subscription.customer, offer: nil, at: begin)
    payload.transactionReason = .renewal
    if sharedFrom != nil { payload.becomeShare(until: payload.expiresDate) }
    let original = subscription.originalTransactionId
    let id = keep(payload, of: subscription.customer, continuing: original, sharedFrom: sharedFrom)
    renewed.transactionIds.append(id)
    renewed.settle(on: product.id)
    subscriptions[original] = renewed
    notify(.didRenew, subtype, about: id, at: now)
    for share in shares(of: original) where isShared(share) {
      var share = share
      share.nextProductId = product.id
      _ = try renew(share, from: begin, subtype, sharedFrom: id, at: now)
    }
    return id
  }

  private func isShared(_ share: Subscription) -> Bool {
    share.transactionIds.last.flatMap { transactions[$0]?.payload.revocationDate } == nil
  }

  /// Turns renewal off or on: DID_CHANGE_RENEWAL_STATUS.
  package mutating func setAutoRenewal(
    _ isOn: Bool, of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    try change(originalTransactionId) { $0.autoRenews = isOn }
    let subtype = isOn ? NotificationSubtype.autoRenewEnabled : .autoRenewDisabled
    try notify(.didChangeRenewalStatus, subtype, newestOf: originalTransactionId, at: now)
  }

  /// Chooses what the next payment buys: DID_CHANGE_RENEWAL_PREF, DOWNGRADE unless it is withdrawn.
  package mutating func renewInto(
    _ productId: String, _ originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let product = try product(productId)
    let subscription = try chain(originalTransactionId)
    guard product.group == subscription.group else { throw .anotherGroup(productId) }
    let isWithdrawn = productId == subscription.productId
    try change(originalTransactionId) { $0.nextProductId = productId }
    try notify(
      .didChangeRenewalPref, isWithdrawn ? nil : .downgrade, newestOf: originalTransactionId,
      at: now)
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
    }
    try notify(.expired, intent.subtype, newestOf: originalTransactionId, at: now)
  }

  mutating func change(
    _ originalTransactionId: String, _ body: (inout Subscription) -> Void
  ) throws(StoreRefusal) {
    var subscription = try chain(originalTransactionId)
    body(&subscription)
    subscriptions[originalTransactionId] = subscription
  }

  private mutating func notify(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil,
    newestOf originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let newest = try chain(originalTransactionId).transactionIds.last
    notify(type, subtype, about: newest, at: now)
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
