package import AppStoreModel

extension SimulatedAppStore {
  /// The transaction as the store would sign it now, absent for an unknown id.
  package func copy(
    of transactionId: String, signedAt now: Timestamp
  ) -> JWSTransactionDecodedPayload? {
    var payload = transactions[transactionId]?.payload
    payload?.signedDate = now
    return payload
  }

  /// The renewal as the store would sign it now, absent for what does not renew.
  package func renewalInfo(
    of originalTransactionId: String, signedAt now: Timestamp
  ) -> JWSRenewalInfoDecodedPayload? {
    guard let subscription = subscriptions[originalTransactionId] else { return nil }
    var payload = JWSRenewalInfoDecodedPayload()
    payload.originalTransactionId = originalTransactionId
    payload.environment = app.environment
    payload.signedDate = now
    payload.describe(subscription)
    payload.renewalDate = end(of: subscription)
    if let next = catalog.first(where: { $0.id == subscription.nextProductId }) {
      payload.offer(next, subscription)
    }
    return payload
  }

  /// The members that every new transaction has, whatever was bought.
  func newPayload(
    _ product: SimulatedProduct, _ customer: Customer, offer: SimulatedOffer?, at now: Timestamp
  ) -> JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.bundleId = app.bundleId
    payload.productId = product.id
    payload.subscriptionGroupIdentifier = product.group
    payload.purchaseDate = now
    payload.quantity = 1
    payload.type = product.type
    payload.appAccountToken = customer.appAccountToken
    payload.appTransactionId = customer.appTransactionId
    payload.inAppOwnershipType = .purchased
    payload.environment = app.environment
    payload.storefront = customer.storefront.code
    payload.storefrontId = customer.storefront.id
    payload.transactionReason = .purchase
    payload.price = offer?.milliunits ?? product.price.milliunits
    payload.currency = product.price.currency.code
    payload.take(offer, of: product, at: now)
    payload.advancedCommerceInfo = advancedCommerce(product)
    return payload
  }

  /// Gives a new transaction its ids and keeps it.
  ///
  /// - Parameters:
  ///   - payload: all but the ids.
  ///   - customer: who has it.
  ///   - original: the chain it continues, absent for the first of its chain.
  ///   - sharedFrom: the purchase that it is a share of.
  ///   - now: when it is made, which may be before its period begins.
  /// - Returns: its `transactionId`.
  mutating func keep(
    _ payload: JWSTransactionDecodedPayload, of customer: Customer, continuing original: String?,
    sharedFrom: String? = nil, at now: Timestamp
  ) -> String {
    var payload = payload
    let id = dice.digits("2000", 12)
    payload.transactionId = id
    payload.originalTransactionId = original ?? id
    payload.originalPurchaseDate =
      original.flatMap { transactions[$0]?.payload.purchaseDate } ?? payload.purchaseDate
    if payload.type == .autoRenewableSubscription {
      payload.webOrderLineItemId = dice.digits("2000", 12)
    }
    add(payload, id, of: customer, sharedFrom: sharedFrom, at: now)
    return id
  }
}

extension JWSTransactionDecodedPayload {
  mutating func take(_ offer: SimulatedOffer?, of product: SimulatedProduct, at now: Timestamp) {
    expiresDate = product.period.map { now.adding(offer?.period ?? $0) }
    offerType = offer?.type
    offerIdentifier = offer?.identifier
    offerDiscountType = offer?.discount
    offerPeriod = offer?.writtenPeriod
  }
}

extension JWSRenewalInfoDecodedPayload {
  mutating func describe(_ subscription: Subscription) {
    productId = subscription.productId
    autoRenewProductId = subscription.nextProductId
    autoRenewStatus = subscription.autoRenews ? .on : .off
    expirationIntent = subscription.expirationIntent
    isInBillingRetryPeriod = subscription.isInBillingRetry
    gracePeriodExpiresDate = subscription.gracePeriodExpiresDate
    recentSubscriptionStartDate = subscription.runStart
    appAccountToken = subscription.appAccountToken
    appTransactionId = subscription.customer.appTransactionId
    priceIncreaseStatus = subscription.priceIncrease.map {
      $0.isAccepted ? .consented : .notAnswered
    }
    offerType = subscription.nextOffer?.type
    offerIdentifier = subscription.nextOffer?.identifier
    offerDiscountType = subscription.nextOffer?.discount
    offerPeriod = subscription.nextOffer?.writtenPeriod
  }

  /// Says what the next payment buys, and for how much.
  mutating func offer(_ next: SimulatedProduct, _ subscription: Subscription) {
    let price = subscription.priceIncrease?.price ?? subscription.price ?? next.price
    let isSame = next.id == subscription.productId
    renewalPrice = subscription.nextOffer?.milliunits ?? (isSame ? price : next.price).milliunits
    currency = next.price.currency.code
    if subscription.expirationIntent != nil {
      let offers = next.offers.filter { $0.type == .winBack }.compactMap(\.identifier)
      eligibleWinBackOfferIds = offers.isEmpty ? nil : offers
    }
    commit(to: next, subscription)
    if let info = subscription.advancedCommerce {
      advancedCommerceInfo = AdvancedCommerceRenewalInfo(info, subscription.priceIncrease)
    }
  }

  private mutating func commit(to next: SimulatedProduct, _ subscription: Subscription) {
    guard let commitment = subscription.commitment else { return }
    var info = RenewalCommitmentInfo()
    info.commitmentAutoRenewProductId = subscription.nextProductId
    info.commitmentAutoRenewStatus = commitment.renews ? .on : .off
    info.commitmentRenewalBillingPlanType = .monthly
    info.commitmentRenewalDate = commitment.end
    info.commitmentRenewalPrice = next.price.milliunits * Int64(commitment.total)
    commitmentInfo = info
    renewalBillingPlanType = .monthly
  }
}
