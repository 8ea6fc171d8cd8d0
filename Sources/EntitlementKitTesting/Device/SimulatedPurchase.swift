package import AppStoreModel

/// One transaction as the simulated store holds it.
package struct SimulatedPurchase: Hashable, Sendable {
  package let id: String
  package var originalID: String
  package let productID: String
  package let type: ProductType
  package var group: String?
  package let purchaseDate: Timestamp
  package var expiresDate: Timestamp?
  package let quantity: Int32
  package let ownership: InAppOwnershipType
  /// The `appTransactionId` of whose it is.
  package let owner: String
  package var isRenewal: Bool
  package var previousOriginalID: String?
  package var price: Int64
  package var appAccountToken: String?
  package var isUpgraded = false
  package var isFinished = false
  package var revocation: SimulatedRevocation?
  package var signedDate: Timestamp
  /// When StoreKit's listings show it first.
  package var shownFrom: Timestamp
  /// The name of the error that StoreKit's check gives; absent where it passes.
  package var failure: String?
  /// What an Advanced Commerce purchase consists of.
  package var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
  /// Whether this device ever gets to know of it.
  package var isHidden = false
}

/// The four fields of a revocation, as the App Store signs them.
package struct SimulatedRevocation: Hashable, Sendable {
  package var date: Timestamp
  package var reason: RevocationReason
  package var type: RevocationType?
  /// Unit: milliunits of a percent.
  package var percentage: Int32?
}

/// What is to come of one subscription.
package struct SimulatedRenewal: Hashable, Sendable {
  package let originalID: String
  package var productID: String
  package var willRenew = true
  package var isInBillingRetry = false
  package var graceEnd: Timestamp?
  package var intent: ExpirationIntent?
  package var signedDate: Timestamp
  /// StoreKit says that the subscription is revoked, whatever its transactions show.
  package var isRevokedByStatus = false
}
