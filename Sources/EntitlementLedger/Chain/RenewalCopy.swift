public import AppStoreModel

/// What the ledger keeps of one signed copy of a subscription's renewal information.
public struct RenewalCopy: Hashable, Sendable {
  public let originalTransactionId: String
  public let productId: String?
  public let autoRenewProductId: String?
  public let autoRenewStatus: AutoRenewStatus?
  public let expirationIntent: ExpirationIntent?
  public let isInBillingRetryPeriod: Bool?
  public let gracePeriodExpiresDate: Timestamp?
  public let renewalDate: Timestamp?
  public let signedDate: Timestamp
  /// Lower case; a zero UUID is no token and reads as `nil`.
  public internal(set) var appAccountToken: String?
  public internal(set) var appTransactionId: String?

  package init(
    originalTransactionId: String, productId: String?, autoRenewProductId: String?,
    autoRenewStatus: AutoRenewStatus?, expirationIntent: ExpirationIntent?,
    isInBillingRetryPeriod: Bool?, gracePeriodExpiresDate: Timestamp?, renewalDate: Timestamp?,
    signedDate: Timestamp, appAccountToken: String?, appTransactionId: String?
  ) {
    self.originalTransactionId = originalTransactionId
    self.productId = productId
    self.autoRenewProductId = autoRenewProductId
    self.autoRenewStatus = autoRenewStatus
    self.expirationIntent = expirationIntent
    self.isInBillingRetryPeriod = isInBillingRetryPeriod
    self.gracePeriodExpiresDate = gracePeriodExpiresDate
    self.renewalDate = renewalDate
    self.signedDate = signedDate
    self.appAccountToken = appAccountToken
    self.appTransactionId = appTransactionId
  }
}
