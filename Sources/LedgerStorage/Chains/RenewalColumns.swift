import AppStoreModel
import EntitlementLedger

/// The columns that one signed copy of renewal information is kept in.
enum RenewalColumns {
  /// As they stand in a SELECT and in an INSERT.
  static let names = """
    renewal_product_id, auto_renew_product_id, auto_renew_status, expiration_intent,
    in_billing_retry, grace_ends_at_ms, renews_at_ms, renewal_signed_at_ms,
    renewal_account_token, renewal_app_transaction_id
    """

  static let marks = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

  /// For the conflict clause of an upsert.
  static let updates = names.split(separator: ",").map {
    let name = $0.filter { !$0.isWhitespace }
    return "\(name) = excluded.\(name)"
  }.joined(separator: ", ")

  static func values(of copy: RenewalCopy?) -> [SQLValue] {
    [
      .text(copy?.productId), .text(copy?.autoRenewProductId),
      .integer(copy?.autoRenewStatus.map { Int64($0.rawValue) }),
      .integer(copy?.expirationIntent.map { Int64($0.rawValue) }),
      .flag(copy?.isInBillingRetryPeriod), .moment(copy?.gracePeriodExpiresDate),
      .moment(copy?.renewalDate), .moment(copy?.signedDate), .text(copy?.appAccountToken),
      .text(copy?.appTransactionId),
    ]
  }

  /// Reads a copy whose columns begin at `first`; `nil` where they are empty.
  static func copy(
    from row: any SQLRow, first: Int, originalTransactionId: String
  ) -> RenewalCopy? {
    guard let signedDate = row.timestamp(first + 7) else { return nil }
    return RenewalCopy(
      originalTransactionId: originalTransactionId,
      productId: row.text(first),
      autoRenewProductId: row.text(first + 1),
      autoRenewStatus: row.integer(first + 2).map {
        AutoRenewStatus(rawValue: Int32(clamping: $0))
      },
      expirationIntent: row.integer(first + 3).map {
        ExpirationIntent(rawValue: Int32(clamping: $0))
      },
      isInBillingRetryPeriod: row.integer(first + 4).map { $0 == 1 },
      gracePeriodExpiresDate: row.timestamp(first + 5),
      renewalDate: row.timestamp(first + 6),
      signedDate: signedDate,
      appAccountToken: row.text(first + 8),
      appTransactionId: row.text(first + 9))
  }
}
