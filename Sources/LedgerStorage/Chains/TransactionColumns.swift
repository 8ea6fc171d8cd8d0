import AppStoreModel
import EntitlementLedger

/// The columns that one signed copy of a transaction is kept in.
enum TransactionColumns {
  static let count = 25

  /// As they stand in a SELECT and in an INSERT.
  static let names = """
    transaction_id, previous_original_transaction_id, product_id, subscription_group, type,
    ownership, purchased_at_ms, originally_purchased_at_ms, expires_at_ms, signed_at_ms,
    revoked_at_ms, revocation_reason, revocation_type, revoked_percent_milliunits, is_upgraded,
    quantity, price_milliunits, currency, commerce_refund_milliunits, commerce_refund_currency,
    commerce_refunded_at_ms, account_token, app_transaction_id, storefront, offer_type
    """

  static let marks = Array(repeating: "?", count: count).joined(separator: ", ")

  /// For the conflict clause of an upsert.
  static let updates = names.split(separator: ",").map {
    let name = $0.filter { !$0.isWhitespace }
    return "\(name) = excluded.\(name)"
  }.joined(separator: ", ")

  static func values(of copy: TransactionCopy) -> [SQLValue] {
    [
      .text(copy.transactionId), .text(copy.previousOriginalTransactionId), .text(copy.productId),
      .text(copy.subscriptionGroupIdentifier), .text(copy.type?.rawValue),
      .text(copy.inAppOwnershipType?.rawValue), .moment(copy.purchaseDate),
      .moment(copy.originalPurchaseDate), .moment(copy.expiresDate), .moment(copy.signedDate),
      .moment(copy.revocation?.date),
      .integer(copy.revocation?.reason.map { Int64($0.rawValue) }),
      .text(copy.revocation?.type?.rawValue),
      .integer(copy.revocation?.share.map { Int64($0.percentMilliunits) }),
      .flag(copy.isUpgraded), .integer(Int64(copy.quantity)), .integer(copy.price?.milliunits),
      .text(copy.price?.currency.code), .integer(copy.advancedCommerceRefund?.milliunits),
      .text(copy.advancedCommerceRefund?.currency.code), .moment(copy.advancedCommerceRefundedAt),
      .text(copy.appAccountToken), .text(copy.appTransactionId), .text(copy.storefront),
      .integer(copy.offerType.map { Int64($0.rawValue) }),
    ]
  }

  /// Reads a copy whose columns begin at `first`.
  static func copy(
    from row: any SQLRow, first: Int, originalTransactionId: String
  ) throws(StoreError) -> TransactionCopy {
    TransactionCopy(
      transactionId: try row.requiredText(first),
      originalTransactionId: originalTransactionId,
      previousOriginalTransactionId: row.text(first + 1),
      productId: try row.requiredText(first + 2),
      subscriptionGroupIdentifier: row.text(first + 3),
      type: row.text(first + 4).map { ProductType(rawValue: $0) },
      inAppOwnershipType: row.text(first + 5).map { InAppOwnershipType(rawValue: $0) },
      purchaseDate: try row.requiredTimestamp(first + 6),
      originalPurchaseDate: row.timestamp(first + 7),
      expiresDate: row.timestamp(first + 8),
      signedDate: try row.requiredTimestamp(first + 9),
      revocation: try revocation(from: row, first: first + 10),
      isUpgraded: row.flag(first + 14),
      quantity: Int32(clamping: try row.requiredInteger(first + 15)),
      price: try money(from: row, first: first + 16),
      advancedCommerceRefund: try money(from: row, first: first + 18),
      advancedCommerceRefundedAt: row.timestamp(first + 20),
      appAccountToken: row.text(first + 21),
      appTransactionId: row.text(first + 22),
      storefront: row.text(first + 23),
      offerType: row.integer(first + 24).map { OfferType(rawValue: Int32(clamping: $0)) })
  }

  private static func revocation(
    from row: any SQLRow, first: Int
  ) throws(StoreError) -> RevocationFields? {
    guard let date = row.timestamp(first) else { return nil }
    return RevocationFields(
      date: date,
      reason: row.integer(first + 1).map { RevocationReason(rawValue: Int32(clamping: $0)) },
      type: row.text(first + 2).map { RevocationType(rawValue: $0) },
      share: try share(row.integer(first + 3)))
  }

  private static func share(_ number: Int64?) throws(StoreError) -> RevokedShare? {
    guard let number else { return nil }
    guard let share = RevokedShare(percentMilliunits: Int32(clamping: number)) else {
      throw .inconsistent(detail: "a revoked share is out of range")
    }
    return share
  }

  private static func money(from row: any SQLRow, first: Int) throws(StoreError) -> Money? {
    guard let milliunits = row.integer(first) else { return nil }
    return Money(milliunits: milliunits, currency: Currency(code: try row.requiredText(first + 1)))
  }
}
