package import AppStoreModel

extension TransactionCopy {
  /// Reads what a decision needs.
  ///
  /// - Throws: ``UnusableFact`` naming the first member that is missing.
  package init(_ payload: JWSTransactionDecodedPayload) throws(UnusableFact) {
    let transactionId = try Self.required(payload.transactionId, "transactionId")
    let original = try Self.required(payload.originalTransactionId, "originalTransactionId")
    let previous = payload.previousOriginalTransactionId
    self.init(
      transactionId: transactionId,
      originalTransactionId: original,
      previousOriginalTransactionId: previous == original || previous == "" ? nil : previous,
      productId: try Self.required(payload.productId, "productId"),
      subscriptionGroupIdentifier: payload.subscriptionGroupIdentifier,
      type: payload.type,
      inAppOwnershipType: payload.inAppOwnershipType,
      purchaseDate: try Self.required(payload.purchaseDate, "purchaseDate"),
      originalPurchaseDate: payload.originalPurchaseDate,
      expiresDate: payload.expiresDate,
      signedDate: try Self.required(payload.signedDate, "signedDate"),
      revocation: RevocationFields(payload),
      isUpgraded: payload.isUpgraded ?? false,
      quantity: max(1, payload.quantity ?? 1),
      price: payload.money(payload.price),
      advancedCommerceRefund: payload.advancedCommerceRefund,
      advancedCommerceRefundedAt: payload.advancedCommerceRefunds.compactMap(\.refundDate).min(),
      appAccountToken: AccountToken.normalized(payload.appAccountToken),
      appTransactionId: payload.appTransactionId,
      storefront: payload.storefront,
      offerType: payload.offerType)
  }

  private static func required(
    _ text: String?, _ name: String
  ) throws(UnusableFact) -> String {
    guard let text, !text.isEmpty else { throw .missing(name) }
    return text
  }

  private static func required(
    _ moment: Timestamp?, _ name: String
  ) throws(UnusableFact) -> Timestamp {
    guard let moment else { throw .missing(name) }
    return moment
  }
}

extension RevocationFields {
  /// `nil` without a date: Apple's other three members mean nothing alone.
  init?(_ payload: JWSTransactionDecodedPayload) {
    guard let date = payload.revocationDate else { return nil }
    self.init(
      date: date, reason: payload.revocationReason, type: payload.revocationType,
      share: payload.revocationPercentage.flatMap(RevokedShare.init(percentMilliunits:)))
  }
}

extension JWSTransactionDecodedPayload {
  fileprivate func money(_ milliunits: Int64?) -> Money? {
    guard let milliunits, let currency else { return nil }
    return Money(milliunits: milliunits, currency: Currency(code: currency))
  }

  fileprivate var advancedCommerceRefunds: [AdvancedCommerceRefund] {
    (advancedCommerceInfo?.items ?? []).flatMap { $0.refunds ?? [] }
  }

  /// The sum of all refunds of all items, zero without any, `nil` without the object.
  fileprivate var advancedCommerceRefund: Money? {
    guard advancedCommerceInfo != nil else { return nil }
    return money(
      advancedCommerceRefunds.reduce(0) { $0.saturatingSum($1.refundAmount ?? 0) })
  }
}
