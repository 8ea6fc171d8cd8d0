package import AppStoreModel

extension SimulatedAppStore {
  /// Moves the end of a subscription's period: RENEWAL_EXTENDED, for whoever shares it too.
  ///
  /// - Returns: the new end.
  /// - Throws: ``StoreRefusal/notExtendable(_:)`` when Apple would refuse.
  @discardableResult
  package mutating func extendRenewal(
    of originalTransactionId: String, byDays days: Int64, at now: Timestamp
  ) throws(StoreRefusal) -> Timestamp {
    let subscription = try chain(originalTransactionId)
    if let refusal = extensionRefusal(subscription, at: now) { throw .notExtendable(refusal) }
    let end = end(of: subscription).adding(.days(days))
    try move(originalTransactionId, to: end, at: now)
    for share in shares(of: originalTransactionId) where isShared(share) {
      try move(share.originalTransactionId, to: end, at: now)
    }
    return end
  }

  private mutating func move(
    _ originalTransactionId: String, to end: Timestamp, at now: Timestamp
  ) throws(StoreRefusal) {
    guard let newest = newestTransactionId(of: originalTransactionId) else { return }
    amend(newest, at: now) { $0.expiresDate = end }
    try change(originalTransactionId) { $0.extensions.append(now) }
    notify(.renewalExtended, about: newest, at: now)
  }

  /// Why Apple would not move a subscription's end, absent when it would.
  package func extensionRefusal(
    _ subscription: Subscription, at now: Timestamp
  ) -> ExtensionRefusal? {
    if subscription.ownership == .familyShared { return .familyShared }
    if subscription.ownership == .assigned { return .assigned }
    let isFree = currentPeriod(of: subscription, at: now)?.offerDiscountType == .freeTrial
    guard status(of: subscription, at: now) == .active, !isFree else { return .ineligible }
    let year = now.subtracting(.days(365))
    return subscription.extensions.count { $0 > year } < 2 ? nil : .tooOften
  }

  /// Moves the end of every subscription of a product: RENEWAL_EXTENDED or RENEWAL_EXTENSION/FAILURE
  /// for each, then RENEWAL_EXTENSION/SUMMARY.
  ///
  /// - Parameters:
  ///   - productId: what was bought.
  ///   - days: by how much.
  ///   - storefronts: ISO 3166-1 alpha-3 codes; empty for all.
  ///   - requestIdentifier: the app's name for the request.
  ///   - now: when it is done.
  /// - Returns: how many were moved and how many were not.
  /// - Throws: ``StoreRefusal/unknownProduct(_:)``.
  @discardableResult
  package mutating func extendRenewals(
    ofProduct productId: String, byDays days: Int64, in storefronts: [String] = [],
    requestIdentifier: String, at now: Timestamp
  ) throws(StoreRefusal) -> MassExtension {
    let product = try product(productId)
    let concerned = register.chains.compactMap { subscriptions[$0] }.filter {
      $0.productId == product.id && $0.sharedFrom == nil
        && (storefronts.isEmpty || storefronts.contains($0.customer.storefront.code))
        && [.active, .billingRetry, .billingGracePeriod].contains(status(of: $0, at: now))
    }
    var succeeded: Int64 = 0
    for subscription in concerned {
      let original = subscription.originalTransactionId
      if extensionRefusal(subscription, at: now) == nil {
        try extendRenewal(of: original, byDays: days, at: now)
        succeeded += 1
      } else {
        try notify(.renewalExtension, .failure, newestOf: original, at: now)
      }
    }
    let done = MassExtension(
      requestIdentifier: requestIdentifier, productId: product.id, storefronts: storefronts,
      completedAt: now, succeeded: succeeded, failed: Int64(concerned.count) - succeeded)
    massExtensions.append(done)
    notify(done, at: now)
    return done
  }
}
