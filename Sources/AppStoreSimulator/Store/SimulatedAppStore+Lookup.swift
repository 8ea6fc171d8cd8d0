package import AppStoreModel

extension SimulatedAppStore {
  /// The chain that a transaction belongs to, absent for what is no auto-renewable subscription.
  package func subscription(of transactionId: String) -> Subscription? {
    transactions[transactionId]?.payload.originalTransactionId.flatMap { subscriptions[$0] }
  }

  /// The newest transaction of a chain, also one whose period has yet to begin.
  package func newestTransactionId(of originalTransactionId: String) -> String? {
    subscriptions[originalTransactionId]?.transactionIds.last
  }

  /// Source: `status` of Apple's `data` object.
  package func status(of subscription: Subscription, at now: Timestamp) -> SubscriptionStatus {
    guard let current = currentPeriod(of: subscription, at: now),
      let end = current.expiresDate
    else { return .expired }
    if let revoked = current.revocationDate, revoked < end { return .revoked }
    if now < end { return .active }
    if current.revocationDate == nil, let grace = subscription.gracePeriodExpiresDate, now < grace {
      return .billingGracePeriod
    }
    return subscription.isInBillingRetry ? .billingRetry : .expired
  }

  /// The last period that covers the moment; without one, the last that has begun, leaving out what
  /// an upgrade replaced.
  func currentPeriod(
    of subscription: Subscription, at now: Timestamp
  ) -> JWSTransactionDecodedPayload? {
    // From the newest on: what covers the moment is mostly that, however long the chain.
    let begun = subscription.transactionIds.reversed().lazy
      .compactMap { [transactions] in transactions[$0]?.payload }
      .filter { $0.isUpgraded != true && $0.purchaseDate.map { $0 <= now } == true }
    return begun.first { $0.revocationDate == nil && $0.expiresDate.map { now < $0 } == true }
      ?? begun.first
  }

  package func product(_ id: String) throws(StoreRefusal) -> SimulatedProduct {
    guard let product = catalog.first(where: { $0.id == id }) else { throw .unknownProduct(id) }
    return product
  }

  package func transaction(_ id: String) throws(StoreRefusal) -> SimulatedTransaction {
    guard let transaction = transactions[id] else { throw .unknownTransaction(id) }
    return transaction
  }

  func chain(_ originalTransactionId: String) throws(StoreRefusal) -> Subscription {
    guard let subscription = subscriptions[originalTransactionId] else {
      throw .notASubscription(originalTransactionId)
    }
    return subscription
  }

  /// The end of a chain's newest period.
  func end(of subscription: Subscription) -> Timestamp {
    subscription.transactionIds.last.flatMap { transactions[$0]?.payload.expiresDate }
      ?? subscription.runStart
  }

  /// The chains of those who share one, in the order in which they began.
  func shares(of originalTransactionId: String) -> [Subscription] {
    register.shares(of: originalTransactionId).compactMap { subscriptions[$0] }
  }
}
