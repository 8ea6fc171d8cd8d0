package import AppStoreModel

extension RenewalCopy {
  /// Reads what a decision needs.
  ///
  /// - Throws: ``UnusableFact`` naming the first member that is missing.
  package init(_ payload: JWSRenewalInfoDecodedPayload) throws(UnusableFact) {
    guard let original = payload.originalTransactionId, !original.isEmpty else {
      throw .missing("originalTransactionId")
    }
    guard let signedDate = payload.signedDate else { throw .missing("signedDate") }
    self.init(
      originalTransactionId: original,
      productId: payload.productId,
      autoRenewProductId: payload.autoRenewProductId,
      autoRenewStatus: payload.autoRenewStatus,
      expirationIntent: payload.expirationIntent,
      isInBillingRetryPeriod: payload.isInBillingRetryPeriod,
      gracePeriodExpiresDate: payload.gracePeriodExpiresDate,
      renewalDate: payload.renewalDate,
      signedDate: signedDate,
      appAccountToken: AccountToken.normalized(payload.appAccountToken),
      appTransactionId: payload.appTransactionId)
  }
}
