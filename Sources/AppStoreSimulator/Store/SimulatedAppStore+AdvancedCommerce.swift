package import AppStoreModel

extension SimulatedAppStore {
  /// Continues a subscription under Advanced Commerce, in a chain of its own: MIGRATION.
  ///
  /// - Returns: the new `originalTransactionId`.
  @discardableResult
  package mutating func migrate(
    _ originalTransactionId: String, to productId: String, at now: Timestamp
  ) throws(StoreRefusal) -> String {
    let old = try chain(originalTransactionId)
    let product = try product(productId)
    guard !product.items.isEmpty, let group = product.group else {
      throw .notAdvancedCommerce(productId)
    }
    var payload = newPayload(product, old.customer, offer: nil, at: now)
    payload.expiresDate = end(of: old)
    payload.previousOriginalTransactionId = originalTransactionId
    let id = keep(payload, of: old.customer, continuing: nil, at: now)
    begin(product, group, old.customer, with: id, at: now)
    try change(id) { $0.advancedCommerce = payload.advancedCommerceInfo }
    try change(originalTransactionId) { $0.autoRenews = false }
    notify(.migration, about: id, at: now)
    return id
  }

  /// Renames what is sold: METADATA_UPDATE.
  package mutating func updateMetadata(
    of originalTransactionId: String, displayName: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let newest = try advancedCommerceTransaction(of: originalTransactionId)
    amend(newest, at: now) { $0.advancedCommerceInfo?.descriptors?.displayName = displayName }
    let info = transactions[newest]?.payload.advancedCommerceInfo
    try change(originalTransactionId) { $0.advancedCommerce = info }
    notify(.metadataUpdate, about: newest, at: now)
  }

  /// Changes the price of the next period: PRICE_CHANGE.
  package mutating func changePrice(
    of originalTransactionId: String, to price: Money, at now: Timestamp
  ) throws(StoreRefusal) {
    let newest = try advancedCommerceTransaction(of: originalTransactionId)
    try change(originalTransactionId) {
      $0.priceIncrease = PriceIncrease(price: price, needsConsent: false, isAccepted: true)
    }
    notify(.priceChange, about: newest, at: now)
  }

  /// Gives back money for one item of a purchase: REFUND.
  ///
  /// - Parameters:
  ///   - number: which item, from 1.
  ///   - transactionId: the purchase.
  ///   - amount: absent for the item's whole price.
  ///   - revokes: whether access to the item ends; when no item is left, that to the purchase does.
  ///   - now: when.
  /// - Throws: the ``StoreRefusal`` of what has no such item.
  package mutating func refundItem(
    _ number: Int, of transactionId: String, amount: Int64? = nil, revokes: Bool = false,
    at now: Timestamp
  ) throws(StoreRefusal) {
    guard var info = try transaction(transactionId).payload.advancedCommerceInfo else {
      throw .notAdvancedCommerce(transactionId)
    }
    guard var items = info.items, items.indices.contains(number - 1) else {
      throw .unknownItem(number)
    }
    items[number - 1].refund(amount, at: now)
    if revokes { items[number - 1].revocationDate = now }
    info.items = items
    let isOver = items.allSatisfy { $0.revocationDate != nil }
    if isOver { try revoke(transactionId, .refundFull, .other, .whole, at: now) }
    amend(transactionId, at: now) { $0.advancedCommerceInfo = info }
    notify(.refund, about: transactionId, at: now)
  }

  private func advancedCommerceTransaction(
    of originalTransactionId: String
  ) throws(StoreRefusal) -> String {
    let subscription = try chain(originalTransactionId)
    guard let newest = subscription.transactionIds.last, subscription.advancedCommerce != nil else {
      throw .notAdvancedCommerce(originalTransactionId)
    }
    return newest
  }

  /// What an Advanced Commerce purchase says beside the rest, absent for anything else.
  func advancedCommerce(_ product: SimulatedProduct) -> AdvancedCommerceTransactionInfo? {
    guard !product.items.isEmpty else { return nil }
    var info = AdvancedCommerceTransactionInfo()
    var descriptors = AdvancedCommerceDescriptors()
    descriptors.displayName = product.shortName
    descriptors.description = "What \(product.shortName) holds"
    info.descriptors = descriptors
    info.items = product.items.map(AdvancedCommerceTransactionItem.init)
    info.period = product.period.map { "P\($0.milliseconds / TimeSpan.days(30).milliseconds)M" }
    info.taxCode = "C003-00-2"
    info.taxRate = "0.0"
    info.taxExclusivePrice = product.price.milliunits
    info.estimatedTax = 0
    return info
  }
}

extension AdvancedCommerceTransactionItem {
  fileprivate init(_ item: SimulatedProduct.Item) {
    self.init()
    sku = item.sku
    displayName = item.sku
    description = item.sku
    price = item.price
  }

  fileprivate mutating func refund(_ amount: Int64?, at now: Timestamp) {
    var refund = AdvancedCommerceRefund()
    refund.refundAmount = amount ?? price
    refund.refundDate = now
    refund.refundReason = .unsatisfiedWithPurchase
    refund.refundType = amount == nil ? .full : .custom
    refunds = (refunds ?? []) + [refund]
  }
}

extension AdvancedCommerceRenewalInfo {
  init(_ info: AdvancedCommerceTransactionInfo, _ increase: PriceIncrease?) {
    self.init()
    descriptors = info.descriptors
    period = info.period
    taxCode = info.taxCode
    items = info.items?.enumerated().map { index, item in
      var renewal = AdvancedCommerceRenewalItem()
      renewal.sku = item.sku
      renewal.description = item.description
      renewal.displayName = item.displayName
      renewal.price = item.price
      if index == 0, let increase {
        var info = AdvancedCommercePriceIncreaseInfo()
        info.price = increase.price.milliunits
        info.status = increase.isAccepted ? .accepted : .pending
        renewal.priceIncreaseInfo = info
      }
      return renewal
    }
  }
}
