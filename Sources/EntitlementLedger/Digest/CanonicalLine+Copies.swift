import AppStoreModel

extension TransactionCopy {
  /// Settles which of two copies with equal clocks is kept.
  var fingerprint: Fingerprint {
    var line = CanonicalLine("copy")
    write(to: &line)
    return Fingerprint(of: line.bytes)
  }

  /// Its canonical fields.
  func write(to line: inout CanonicalLine) {
    line.add("transactionId", transactionId)
    line.add("originalTransactionId", originalTransactionId)
    line.add("previousOriginalTransactionId", previousOriginalTransactionId)
    line.add("productId", productId)
    line.add("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
    line.add("type", type?.rawValue)
    line.add("inAppOwnershipType", inAppOwnershipType?.rawValue)
    line.add("purchaseDate", purchaseDate)
    line.add("originalPurchaseDate", originalPurchaseDate)
    line.add("expiresDate", expiresDate)
    line.add("signedDate", signedDate)
    line.add("revocationDate", revocation?.date)
    line.add("revocationReason", revocation?.reason.map { Int64($0.rawValue) })
    line.add("revocationType", revocation?.type?.rawValue)
    line.add("revocationPercentage", revocation?.share.map { Int64($0.percentMilliunits) })
    line.add("isUpgraded", isUpgraded)
    line.add("quantity", Int64(quantity))
    line.add("price", price?.milliunits)
    line.add("currency", (price ?? advancedCommerceRefund)?.currency.code)
    line.add("advancedCommerceRefund", advancedCommerceRefund?.milliunits)
    line.add("advancedCommerceRefundedAt", advancedCommerceRefundedAt)
    line.add("appAccountToken", appAccountToken)
    line.add("appTransactionId", appTransactionId)
    line.add("storefront", storefront)
    line.add("offerType", offerType.map { Int64($0.rawValue) })
  }
}

extension RenewalCopy {
  /// Whether it is kept of two copies with equal clocks.
  func precedes(_ other: RenewalCopy) -> Bool {
    other.fingerprint < fingerprint
  }

  private var fingerprint: Fingerprint {
    var line = CanonicalLine("renewal")
    write(to: &line)
    return Fingerprint(of: line.bytes)
  }

  /// Its canonical fields.
  func write(to line: inout CanonicalLine) {
    line.add("renewal.originalTransactionId", originalTransactionId)
    line.add("renewal.productId", productId)
    line.add("renewal.autoRenewProductId", autoRenewProductId)
    line.add("renewal.autoRenewStatus", autoRenewStatus.map { Int64($0.rawValue) })
    line.add("renewal.expirationIntent", expirationIntent.map { Int64($0.rawValue) })
    line.add("renewal.isInBillingRetryPeriod", isInBillingRetryPeriod.map { $0 ? 1 : 0 })
    line.add("renewal.gracePeriodExpiresDate", gracePeriodExpiresDate)
    line.add("renewal.renewalDate", renewalDate)
    line.add("renewal.signedDate", signedDate)
    line.add("renewal.appAccountToken", appAccountToken)
    line.add("renewal.appTransactionId", appTransactionId)
  }
}

extension StatusEntry {
  var fingerprint: Fingerprint {
    var line = CanonicalLine("status")
    write(to: &line)
    return Fingerprint(of: line.bytes)
  }

  /// Its canonical fields.
  func write(to line: inout CanonicalLine) {
    line.add("id", id)
    line.add("source", source.rawValue)
    line.add("status", Int64(status.rawValue))
    line.add("date", date)
    line.add("transactionId", transactionId)
    line.add("revocationDate", revocationDate)
    renewal?.write(to: &line)
  }
}
