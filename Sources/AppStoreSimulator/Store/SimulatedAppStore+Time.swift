package import AppStoreModel

extension SimulatedAppStore {
  /// Lets time pass and does what the App Store does by itself meanwhile: it renews, fails to charge,
  /// recovers, ends grace periods and subscriptions, and decides about requests for money.
  ///
  /// - Parameters:
  ///   - start: the moment up to which everything was done.
  ///   - now: the moment at which it stops.
  /// - Throws: a ``StoreRefusal`` when a customer's story contradicts itself.
  package mutating func pass(from start: Timestamp, to now: Timestamp) throws(StoreRefusal) {
    var clock = start
    // Every step changes what is due, so that none is due twice.
    while let next = nextDue(), next.at <= now {
      clock = max(clock, next.at)
      try perform(next.duty, at: clock)
    }
  }

  /// When the App Store does something by itself next, absent when nothing is due.
  package func nextStep() -> Timestamp? { nextDue()?.at }

  /// Something that the store does by itself.
  enum Duty {
    case renew(String)
    case failToRenew(String)
    case recover(String)
    case endGrace(String)
    case expire(String, ExpirationIntent)
    case decide(String)
  }

  /// Of one moment the chains come first, by their age, and then the requests for money.
  private func nextDue() -> (at: Timestamp, duty: Duty)? {
    let request = agenda.requests.first
    if let first = agenda.chains.first, request.map({ first.date <= $0.date }) ?? true {
      return subscriptions[register.chains[first.key]].flatMap(duty)
    }
    return request.map { ($0.date, .decide($0.key)) }
  }

  /// What a chain needs next, absent for a share and for one that is over.
  func duty(of subscription: Subscription) -> (at: Timestamp, duty: Duty)? {
    let id = subscription.originalTransactionId
    let end = end(of: subscription)
    if subscription.sharedFrom != nil || subscription.hasEnded || isRevoked(subscription) {
      return nil
    }
    let canPay = !unableToPay.contains(subscription.customer.appTransactionId)
    if subscription.isInBillingRetry { return dueInRetry(subscription, end, canPay) }
    guard subscription.autoRenews else { return (end, .expire(id, .customerCancelled)) }
    if let increase = subscription.priceIncrease, increase.needsConsent, !increase.isAccepted {
      return (end, .expire(id, .noConsentToPriceIncrease))
    }
    return canPay ? (end.subtracting(.hours(1)), .renew(id)) : (end, .failToRenew(id))
  }

  private func dueInRetry(
    _ subscription: Subscription, _ end: Timestamp, _ canPay: Bool
  ) -> (at: Timestamp, duty: Duty) {
    let id = subscription.originalTransactionId
    if canPay { return (end, .recover(id)) }
    if let grace = subscription.gracePeriodExpiresDate, !subscription.hasLeftGrace {
      return (grace, .endGrace(id))
    }
    return (end.adding(.days(60)), .expire(id, .billingError))
  }

  private func isRevoked(_ subscription: Subscription) -> Bool {
    subscription.transactionIds.last.flatMap { transactions[$0]?.payload.revocationDate } != nil
  }

  private mutating func perform(_ duty: Duty, at now: Timestamp) throws(StoreRefusal) {
    switch duty {
    case .renew(let id): try renew(id, at: now)
    case .failToRenew(let id): try failToRenew(id, grace: policy.grace, at: now)
    case .recover(let id): try recover(id, at: now)
    case .endGrace(let id): try endGrace(of: id, at: now)
    case .expire(let id, let intent): try expire(id, intent, at: now)
    case .decide(let id): try decideRefund(of: id, at: now)
    }
  }
}
