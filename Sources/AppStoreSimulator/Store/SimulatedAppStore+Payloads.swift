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
    payload.productId = subscription.productId
    payload.autoRenewProductId = subscription.nextProductId
    payload.autoRenewStatus = subscription.autoRenews ? .on : .off
    payload.expirationIntent = subscription.expirationIntent
    payload.isInBillingRetryPeriod = subscription.isInBillingRetry
    payload.gracePeriodExpiresDate = subscription.gracePeriodExpiresDate
    payload.recentSubscriptionStartDate = subscription.runStart
    payload.renewalDate = end(of: subscription)
    payload.appAccountToken = subscription.customer.appAccountToken
    payload.appTransactionId = subscription.customer.appTransactionId
    payload.environment = app.environment
    payload.signedDate = now
    if let next = catalog.first(where: { $0.id == subscription.nextProductId }) {
      payload.renewalPrice = next.price.milliunits
      payload.currency = next.price.currency.code
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
    payload.storefront = "USA"
    payload.storefrontId = "143441"
    payload.transactionReason = .purchase
    payload.price = offer?.milliunits ?? product.price.milliunits
    payload.currency = product.price.currency.code
    payload.expiresDate = (offer?.period ?? product.period).map { now.adding($0) }
    payload.offerType = offer?.type
    payload.offerIdentifier = offer?.identifier
    payload.offerDiscountType = offer?.discount
    payload.offerPeriod = offer?.writtenPeriod
    if product.period == nil { payload.expiresDate = nil }
    return payload
  }

  /// Gives a new transaction its ids and keeps it.
  ///
  /// - Parameters:
  ///   - payload: all but the ids.
  ///   - customer: who has it.
  ///   - original: the chain it continues, absent for the first of its chain.
  ///   - sharedFrom: the purchase that it is a share of.
  /// - Returns: its `transactionId`.
  mutating func keep(
    _ payload: JWSTransactionDecodedPayload, of customer: Customer, continuing original: String?,
    sharedFrom: String? = nil
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
    transactions[id] = SimulatedTransaction(
      payload: payload, customer: customer, sharedFrom: sharedFrom)
    order.append(id)
    return id
  }
}
