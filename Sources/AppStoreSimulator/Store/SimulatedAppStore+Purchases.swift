package import AppStoreModel

extension SimulatedAppStore {
  /// Sells something: SUBSCRIBED or ONE_TIME_CHARGE.
  ///
  /// A customer whose subscription of the group has ended continues the same chain, unless told
  /// otherwise.
  ///
  /// - Parameters:
  ///   - productId: what.
  ///   - customer: to whom.
  ///   - quantity: how many, or how many seats of a subscription.
  ///   - offer: a better price.
  ///   - startsNewChain: whether a subscription begins beside the customer's earlier one of the group,
  ///     as it happens while that one is in billing retry.
  ///   - now: when.
  /// - Returns: the new `transactionId`.
  /// - Throws: the ``StoreRefusal`` of what is not for sale to this customer now.
  @discardableResult
  package mutating func buy(
    _ productId: String, by customer: Customer, quantity: Int32 = 1, offer: SimulatedOffer? = nil,
    startsNewChain: Bool = false, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let product = try product(productId)
    var payload = newPayload(product, customer, offer: offer, at: now)
    payload.quantity = quantity
    guard let group = product.group else {
      let id = keep(payload, of: customer, continuing: nil, at: now)
      notify(.oneTimeCharge, about: id, at: now)
      return id
    }
    let earlier = startsNewChain ? nil : lastChain(of: customer, group)
    return try subscribe(payload, group, product, customer, earlier, at: now)
  }

  private func lastChain(of customer: Customer, _ group: String) -> Subscription? {
    subscriptions(of: customer).last { $0.group == group && $0.sharedFrom == nil }
  }

  private mutating func subscribe(
    _ payload: JWSTransactionDecodedPayload, _ group: String, _ product: SimulatedProduct,
    _ customer: Customer, _ earlier: Subscription?, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    if let earlier, [.active, .billingGracePeriod].contains(status(of: earlier, at: now)) {
      throw .alreadySubscribed(group: group)
    }
    let commitment = Commitment(product, at: now)
    var payload = payload
    payload.commit(commitment, product)
    let original = earlier?.originalTransactionId
    let id = keep(payload, of: customer, continuing: original, at: now)
    if let earlier {
      restart(earlier, product.id, with: id, at: now)
    } else {
      begin(product, group, customer, with: id, at: now)
    }
    try change(original ?? id) { subscription in
      subscription.seats = payload.quantity ?? 1
      subscription.commitment = commitment
      subscription.advancedCommerce = payload.advancedCommerceInfo
    }
    notify(.subscribed, earlier == nil ? .initialBuy : .resubscribe, about: id, at: now)
    return id
  }

  mutating func begin(
    _ product: SimulatedProduct, _ group: String, _ customer: Customer, with id: String,
    sharedFrom: String? = nil, as ownership: InAppOwnershipType = .purchased, at now: Timestamp
  ) {
    keep(
      Subscription(
        originalTransactionId: id, customer: customer, group: group, productId: product.id,
        nextProductId: product.id, transactionIds: [id], runStart: now, sharedFrom: sharedFrom,
        ownership: ownership, appAccountToken: customer.appAccountToken))
  }

  private mutating func restart(
    _ subscription: Subscription, _ productId: String, with id: String, at now: Timestamp
  ) {
    var subscription = subscription
    let gap = now.subtracting(.days(60))
    if end(of: subscription) < gap { subscription.runStart = now }
    subscription.transactionIds.append(id)
    subscription.settle(on: productId)
    subscription.price = nil
    keep(subscription)
  }
}

extension Commitment {
  init?(_ product: SimulatedProduct, at now: Timestamp) {
    guard let total = product.commitment, let period = product.period else { return nil }
    let length = TimeSpan(milliseconds: period.milliseconds * Int64(total))
    self.init(number: 1, total: total, end: now.adding(length))
  }

  /// The next month, which may be the first of another run.
  func next(_ product: SimulatedProduct, at begin: Timestamp) -> Commitment? {
    guard number < total else { return Commitment(product, at: begin) }
    var next = self
    next.number += 1
    return next
  }
}

extension JWSTransactionDecodedPayload {
  mutating func commit(_ commitment: Commitment?, _ product: SimulatedProduct) {
    guard let commitment else { return }
    var info = CommitmentInfo()
    info.billingPeriodNumber = commitment.number
    info.totalBillingPeriods = commitment.total
    info.commitmentExpiresDate = commitment.end
    info.commitmentPrice = product.price.milliunits * Int64(commitment.total)
    commitmentInfo = info
    billingPlanType = .monthly
  }

  /// Turns a purchase into somebody else's share of it: no price, the payer's period.
  mutating func becomeShare(until end: Timestamp?, as ownership: InAppOwnershipType) {
    inAppOwnershipType = ownership
    quantity = 1
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
    nextOffer = nil
    hasEnded = false
    hasLeftGrace = false
  }
}
