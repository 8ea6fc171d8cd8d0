package import AppStoreModel

extension SimulatedStore {
  /// What the store signs of a transaction.
  package func payload(_ purchase: SimulatedPurchase) -> JWSTransactionDecodedPayload {
    var payload = JWSTransactionDecodedPayload()
    payload.transactionId = switches.signsLikeXcode ? xcodeID(purchase.id) : purchase.id
    payload.originalTransactionId =
      switches.signsLikeXcode ? xcodeID(purchase.originalID) : purchase.originalID
    if switches.system.hasBundles {
      payload.previousOriginalTransactionId = purchase.previousOriginalID
    }
    payload.bundleId = bundleID
    payload.productId = purchase.productID
    payload.subscriptionGroupIdentifier = purchase.group
    payload.purchaseDate = purchase.purchaseDate
    payload.originalPurchaseDate = chain(purchase.originalID).first?.purchaseDate
    payload.expiresDate = purchase.expiresDate
    payload.quantity = purchase.quantity
    payload.type = purchase.type
    payload.appAccountToken = purchase.appAccountToken
    payload.inAppOwnershipType = purchase.ownership
    payload.signedDate = purchase.signedDate
    payload.environment = switches.signsLikeXcode ? .xcode : environment
    payload.storefront = "USA"
    payload.storefrontId = "143441"
    payload.transactionReason = purchase.isRenewal ? .renewal : .purchase
    payload.price = purchase.price
    payload.currency = "USD"
    payload.appTransactionId = namesOwner ? purchase.owner : nil
    if purchase.isUpgraded { payload.isUpgraded = true }
    payload.advancedCommerceInfo = purchase.advancedCommerceInfo
    if let revocation = purchase.revocation { show(revocation, in: &payload) }
    return payload
  }

  private func show(
    _ revocation: SimulatedRevocation, in payload: inout JWSTransactionDecodedPayload
  ) {
    payload.revocationDate = revocation.date
    payload.revocationReason = revocation.reason
    guard switches.system.hasRevocationDetails else { return }
    payload.revocationType = revocation.type
    payload.revocationPercentage = revocation.percentage
  }

  private var namesOwner: Bool {
    !switches.signsLikeXcode && switches.system.hasAppTransaction
  }

  /// Xcode counts from 0.
  private func xcodeID(_ id: String) -> String {
    purchases.firstIndex { $0.id == id }.map { "\($0)" } ?? id
  }

  /// What the store signs of a subscription's future.
  package func payload(_ renewal: SimulatedRenewal) -> JWSRenewalInfoDecodedPayload {
    var payload = JWSRenewalInfoDecodedPayload()
    payload.originalTransactionId =
      switches.signsLikeXcode ? xcodeID(renewal.originalID) : renewal.originalID
    payload.productId = shown(of: renewal.originalID)?.productID ?? renewal.productID
    payload.autoRenewProductId = renewal.productID
    payload.autoRenewStatus = renewal.willRenew ? .on : .off
    payload.expirationIntent = renewal.intent
    payload.isInBillingRetryPeriod = renewal.isInBillingRetry
    payload.gracePeriodExpiresDate = renewal.graceEnd
    payload.renewalDate = shown(of: renewal.originalID)?.expiresDate
    payload.environment = switches.signsLikeXcode ? .xcode : environment
    payload.signedDate = renewal.signedDate
    return payload
  }

  /// What the store signs of the app's own download.
  package var appPayload: AppTransactionDecodedPayload {
    var payload = AppTransactionDecodedPayload()
    payload.receiptType = switches.signsLikeXcode ? .xcode : environment
    payload.bundleId = bundleID
    payload.applicationVersion = "1.0"
    payload.originalApplicationVersion = "1.0"
    payload.receiptCreationDate = now
    // Xcode dates the first download to the year 1.
    payload.originalPurchaseDate =
      switches.signsLikeXcode ? Timestamp(millisecondsSince1970: -62_135_769_600_000) : now
    payload.appTransactionId = namesOwner ? owner : nil
    payload.appRevocationDate = appRevocation
    return payload
  }
}
