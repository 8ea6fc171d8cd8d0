package import AppStoreModel

/// One chain of a subscription: what the store knows beside its transactions.
package struct Subscription: Sendable {
  package let originalTransactionId: String
  package let customer: Customer
  package let group: String
  package internal(set) var productId: String
  /// What the next payment buys.
  package internal(set) var nextProductId: String
  package internal(set) var autoRenews = true
  /// In the order in which they were made.
  package internal(set) var transactionIds: [String]
  package internal(set) var expirationIntent: ExpirationIntent?
  package internal(set) var isInBillingRetry = false
  package internal(set) var gracePeriodExpiresDate: Timestamp?
  package internal(set) var runStart: Timestamp
  /// The chain of the family member who pays, absent for the one who does.
  package let sharedFrom: String?
}
