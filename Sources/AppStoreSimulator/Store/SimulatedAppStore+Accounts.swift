package import AppStoreModel

// What Apple's server API looks up. To answer as of an earlier moment, ask a copy kept from then.
extension SimulatedAppStore {
  /// Whose an id is.
  ///
  /// Shape: a `transactionId`, an `originalTransactionId` or an `appTransactionId`.
  package func customer(of anyTransactionId: String) -> Customer? {
    transactions[anyTransactionId]?.customer
      ?? register.place(ofAccount: anyTransactionId).map { customers[$0] }
  }

  /// The first customer of a name or `appTransactionId`.
  package func customer(named word: String) -> Customer? {
    [register.place(named: word), register.place(ofAccount: word)].compactMap { $0 }.min()
      .map { customers[$0] }
  }

  /// Every transaction of a customer, the one that was changed last at the end.
  package func history(of customer: Customer) -> [SimulatedTransaction] {
    register.transactions(of: customer).compactMap { transactions[$0] }
      .sorted { $0.revision < $1.revision }
  }

  /// The purchases whose money went back and stayed back, by `revocationDate`.
  package func refunds(of customer: Customer) -> [SimulatedTransaction] {
    history(of: customer).filter { $0.payload.isRefunded }
      .sorted {
        ($0.payload.revocationDate, $0.revision) < ($1.payload.revocationDate, $1.revision)
      }
  }

  /// A customer's subscriptions, in the order in which they began.
  package func subscriptions(of customer: Customer) -> [Subscription] {
    register.chains(of: customer).compactMap { subscriptions[$0] }
  }

  /// The transaction that Apple's status names: the newest that an upgrade did not replace.
  package func lastTransaction(
    of subscription: Subscription, signedAt now: Timestamp
  ) -> JWSTransactionDecodedPayload? {
    (currentPeriod(of: subscription, at: now)?.transactionId ?? subscription.transactionIds.last)
      .flatMap { copy(of: $0, signedAt: now) }
  }

  /// The transactions of one order, none for an unknown one.
  package func transactions(ofOrder orderId: String) -> [SimulatedTransaction] {
    order.compactMap { transactions[$0] }.filter { $0.orderId == orderId }
  }

  /// The download of the app by a customer, as the store would sign it now.
  package func appTransaction(
    of customer: Customer, signedAt now: Timestamp
  ) -> AppTransactionDecodedPayload {
    let first = register.transactions(of: customer)
      .compactMap { transactions[$0]?.payload.originalPurchaseDate }.min()
    var payload = AppTransactionDecodedPayload()
    payload.receiptType = app.environment
    payload.appAppleId = app.appAppleId
    payload.bundleId = app.bundleId
    payload.receiptCreationDate = now
    payload.originalPurchaseDate = (first ?? now).subtracting(.days(1))
    payload.originalApplicationVersion = app.bundleVersion
    payload.appTransactionId = customer.appTransactionId
    payload.originalPlatform = .iOS
    return payload
  }

  /// Sets the token that a purchase and its later renewals carry.
  ///
  /// Past periods keep theirs.
  ///
  /// - Throws: the ``StoreRefusal`` of an unknown or shared purchase.
  package mutating func setAppAccountToken(
    _ token: String, of originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let ownership = try transaction(originalTransactionId).payload.inAppOwnershipType
    guard ownership == .purchased else { throw .notFamilyShareable(originalTransactionId) }
    if subscriptions[originalTransactionId] != nil {
      try change(originalTransactionId) { $0.appAccountToken = token }
    }
    let newest = newestTransactionId(of: originalTransactionId) ?? originalTransactionId
    amend(newest, at: now) { $0.appAccountToken = token }
  }
}

extension JWSTransactionDecodedPayload {
  /// Whether the money, or a part of it, went back to the one who paid.
  var isRefunded: Bool {
    (revocationDate != nil && (revocationType == .refundFull || revocationType == .refundProrated))
      || advancedCommerceInfo?.items?.contains { $0.refunds?.isEmpty == false } == true
  }
}

private func < <T: Comparable>(
  left: (T?, Int), right: (T?, Int)
) -> Bool {
  guard let first = left.0, let second = right.0, first != second else { return left.1 < right.1 }
  return first < second
}
