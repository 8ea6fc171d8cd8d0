public import AppStoreModel

/// What the ledger keeps of one signed copy of a transaction.
///
/// Unlike the wire type, what a decision needs is always here; a payload without it is opaque.
public struct TransactionCopy: Hashable, Sendable {
  public let transactionId: String
  public let originalTransactionId: String
  public let previousOriginalTransactionId: String?
  public let productId: String
  public let subscriptionGroupIdentifier: String?
  public let type: ProductType?
  public let inAppOwnershipType: InAppOwnershipType?
  public let purchaseDate: Timestamp
  public let originalPurchaseDate: Timestamp?
  public let expiresDate: Timestamp?
  /// This copy's own, not that of a notification around it.
  public let signedDate: Timestamp
  public let revocation: RevocationFields?
  public let isUpgraded: Bool
  /// Products bought, or seats of a multiseat subscription; at least 1.
  public let quantity: Int32
  public let price: Money?
  /// The sum of `advancedCommerceInfo` refund amounts, when that object is present.
  public let advancedCommerceRefund: Money?
  /// The earliest date of those refunds: money can move while access stays.
  public let advancedCommerceRefundedAt: Timestamp?
  /// Lower case; a zero UUID is no token and reads as `nil`.
  public internal(set) var appAccountToken: String?
  public internal(set) var appTransactionId: String?
  public let storefront: String?
  public let offerType: OfferType?

  package init(
    transactionId: String, originalTransactionId: String, previousOriginalTransactionId: String?,
    productId: String, subscriptionGroupIdentifier: String?, type: ProductType?,
    inAppOwnershipType: InAppOwnershipType?, purchaseDate: Timestamp,
    originalPurchaseDate: Timestamp?, expiresDate: Timestamp?, signedDate: Timestamp,
    revocation: RevocationFields?, isUpgraded: Bool, quantity: Int32, price: Money?,
    advancedCommerceRefund: Money?, advancedCommerceRefundedAt: Timestamp?,
    appAccountToken: String?, appTransactionId: String?,
    storefront: String?, offerType: OfferType?
  ) {
    self.transactionId = transactionId
    self.originalTransactionId = originalTransactionId
    self.previousOriginalTransactionId = previousOriginalTransactionId
    self.productId = productId
    self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
    self.type = type
    self.inAppOwnershipType = inAppOwnershipType
    self.purchaseDate = purchaseDate
    self.originalPurchaseDate = originalPurchaseDate
    self.expiresDate = expiresDate
    self.signedDate = signedDate
    self.revocation = revocation
    self.isUpgraded = isUpgraded
    self.quantity = quantity
    self.price = price
    self.advancedCommerceRefund = advancedCommerceRefund
    self.advancedCommerceRefundedAt = advancedCommerceRefundedAt
    self.appAccountToken = appAccountToken
    self.appTransactionId = appTransactionId
    self.storefront = storefront
    self.offerType = offerType
  }
}

/// The four fields by which Apple marks a transaction as revoked.
public struct RevocationFields: Hashable, Sendable {
  public let date: Timestamp
  public let reason: RevocationReason?
  public let type: RevocationType?
  public let share: RevokedShare?

  package init(
    date: Timestamp, reason: RevocationReason?, type: RevocationType?, share: RevokedShare?
  ) {
    self.date = date
    self.reason = reason
    self.type = type
    self.share = share
  }
}
