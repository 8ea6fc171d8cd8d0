package import AppStoreModel

extension SimulatedAppStore {
  /// What is so at a moment that is not before the last step.
  package func truth(at now: Timestamp) -> Truth {
    let granting = catalog.filter { $0.type != .consumable }
    let access = customers.map { customer in
      Truth.Access(
        customer: customer,
        products: Dictionary(
          uniqueKeysWithValues: granting.map { ($0.id, grants($0.id, to: customer, at: now)) }))
    }
    let currencies = Set(transactions.values.compactMap(\.payload.currency))
    let amounts = currencies.map { refunded(in: Currency(code: $0)) }
    return Truth(
      access: access,
      refunded: Dictionary(
        uniqueKeysWithValues: amounts.filter { $0.milliunits != 0 }.map { ($0.currency, $0) }))
  }

  /// Whether a customer may use a product, as the store itself knows it.
  ///
  /// Consumables grant nothing, and how long a non-renewing subscription lasts is the app's business:
  /// here it lasts until it is refunded.
  package func grants(_ productId: String, to customer: Customer, at now: Timestamp) -> Bool {
    let owned = register.transactions(of: customer).lazy
      .compactMap { [transactions] in transactions[$0]?.payload }
    return owned.contains { $0.productId == productId && covers($0, now) }
      || isInGrace(productId, customer, at: now)
  }

  private func covers(_ payload: JWSTransactionDecodedPayload, _ now: Timestamp) -> Bool {
    guard payload.type != .consumable, payload.isUpgraded != true, payload.revocationDate == nil,
      let begin = payload.purchaseDate, begin <= now
    else { return false }
    return payload.expiresDate.map { now < $0 } ?? true
  }

  private func isInGrace(_ productId: String, _ customer: Customer, at now: Timestamp) -> Bool {
    subscriptions(of: customer).contains {
      $0.productId == productId && status(of: $0, at: now) == .billingGracePeriod
    }
  }

  /// The money that refunds have given back and no reversal has taken again.
  ///
  /// Unit: milliunits of one currency; each part rounds half to even.
  package func refunded(in currency: Currency) -> Money {
    let parts = order.compactMap { transactions[$0]?.payload }
      .filter { $0.inAppOwnershipType == .purchased && $0.currency == currency.code }
      .map(Self.refunded)
    return Money(milliunits: parts.reduce(0, +), currency: currency)
  }

  private static func refunded(_ payload: JWSTransactionDecodedPayload) -> Int64 {
    let items = (payload.advancedCommerceInfo?.items ?? []).flatMap { $0.refunds ?? [] }
    if !items.isEmpty { return items.compactMap(\.refundAmount).reduce(0, +) }
    guard payload.isRefunded, let price = payload.price else { return 0 }
    let share = Int64(payload.revocationPercentage ?? 100_000)
    let (whole, rest) = (price * share).quotientAndRemainder(dividingBy: 100_000)
    let isUp = rest > 50_000 || (rest == 50_000 && whole % 2 != 0)
    return whole + (isUp ? 1 : 0)
  }
}
