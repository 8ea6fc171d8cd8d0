package import AppStoreModel

extension SimulatedAppStore {
  /// Moves a purchase into a bundle: its transaction is revoked without a refund, and a new chain
  /// names it as the one before.
  ///
  /// Apple documents no notification for it. This one says SUBSCRIBED or ONE_TIME_CHARGE of the
  /// bundle, and DID_CHANGE_RENEWAL_STATUS of what was left.
  ///
  /// - Returns: the bundle's `transactionId`.
  @discardableResult
  package mutating func moveToBundle(
    _ transactionId: String, _ bundleId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let old = try transaction(transactionId)
    let product = try product(bundleId)
    try revoke(transactionId, nil, .upgradedToBundle, nil, at: now)
    var payload = newPayload(product, old.customer, offer: nil, at: now)
    payload.previousOriginalTransactionId = old.payload.originalTransactionId
    let id = keep(payload, of: old.customer, continuing: nil, at: now)
    if let group = product.group { begin(product, group, old.customer, with: id, at: now) }
    if let left = subscription(of: transactionId) {
      try setAutoRenewal(false, of: left.originalTransactionId, at: now)
    }
    notify(
      product.group == nil ? .oneTimeCharge : .subscribed,
      product.group == nil ? nil : .initialBuy, about: id, at: now)
    return id
  }
}
