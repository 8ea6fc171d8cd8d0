/// One purchase or renewal, as the App Store signs it.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `JWSTransactionDecodedPayload`.
public struct JWSTransactionDecodedPayload: Hashable, Sendable {
  /// New for each purchase and each renewal; may look numeric and exceed 2^53.
  public var transactionId: String?
  /// The same along a subscription's chain.
  public var originalTransactionId: String?
  /// The chain that this one continues, after a migration or a move to a bundle.
  public var previousOriginalTransactionId: String?
  public var webOrderLineItemId: String?
  public var bundleId: String?
  public var productId: String?
  public var subscriptionGroupIdentifier: String?
  public var purchaseDate: Timestamp?
  public var originalPurchaseDate: Timestamp?
  /// Auto-renewable subscriptions only.
  public var expiresDate: Timestamp?
  /// Products bought, or seats of a multiseat subscription.
  public var quantity: Int32?
  public var type: ProductType?
  /// Shape: a UUID in any case, as the app wrote it.
  public var appAccountToken: String?
  public var inAppOwnershipType: InAppOwnershipType?
  public var signedDate: Timestamp?
  public var revocationReason: RevocationReason?
  /// Present while the transaction is refunded or revoked; gone again after a reversal.
  public var revocationDate: Timestamp?
  public var revocationType: RevocationType?
  /// Unit: milliunits of a percent, `0...100_000`.
  public var revocationPercentage: Int32?
  /// Whether an upgrade replaced it; absent means false.
  public var isUpgraded: Bool?
  public var offerType: OfferType?
  public var offerIdentifier: String?
  public var offerDiscountType: OfferDiscountType?
  /// Shape: an ISO 8601 duration.
  public var offerPeriod: String?
  public var environment: AppStoreEnvironment?
  /// Shape: an ISO 3166-1 alpha-3 code.
  public var storefront: String?
  public var storefrontId: String?
  public var transactionReason: TransactionReason?
  /// Unit: milliunits of the currency.
  public var price: Int64?
  /// Shape: an ISO 4217 code.
  public var currency: String?
  /// One for each Apple Account and app.
  public var appTransactionId: String?
  public var billingPlanType: BillingPlanType?
  public var commitmentInfo: CommitmentInfo?
  public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
  public var deviceVerification: String?
  public var deviceVerificationNonce: String?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension JWSTransactionDecodedPayload {
  /// Reads a whole JSON text.
  public init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    try self.init(whole: json)
  }

  /// Its JSON text: known members in a fixed order, then the unknown ones.
  public func json() -> [UInt8] {
    written()
  }
}

extension JWSTransactionDecodedPayload: JSONPayload {
  package static let members = MemberTable<JWSTransactionDecodedPayload>([
    .text("transactionId", { $0.transactionId }, { $0.transactionId = $1 }),
    .text("originalTransactionId", { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .text(
      "previousOriginalTransactionId", { $0.previousOriginalTransactionId },
      { $0.previousOriginalTransactionId = $1 }),
    .text("webOrderLineItemId", { $0.webOrderLineItemId }, { $0.webOrderLineItemId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .text("productId", { $0.productId }, { $0.productId = $1 }),
    .text(
      "subscriptionGroupIdentifier", { $0.subscriptionGroupIdentifier },
      { $0.subscriptionGroupIdentifier = $1 }),
    .moment("purchaseDate", { $0.purchaseDate }, { $0.purchaseDate = $1 }),
    .moment("originalPurchaseDate", { $0.originalPurchaseDate }, { $0.originalPurchaseDate = $1 }),
    .moment("expiresDate", { $0.expiresDate }, { $0.expiresDate = $1 }),
    .int32("quantity", { $0.quantity }, { $0.quantity = $1 }),
    .word("type", { $0.type }, { $0.type = $1 }),
    .text("appAccountToken", { $0.appAccountToken }, { $0.appAccountToken = $1 }),
    .word("inAppOwnershipType", { $0.inAppOwnershipType }, { $0.inAppOwnershipType = $1 }),
    .moment("signedDate", { $0.signedDate }, { $0.signedDate = $1 }),
    .code("revocationReason", { $0.revocationReason }, { $0.revocationReason = $1 }),
    .moment("revocationDate", { $0.revocationDate }, { $0.revocationDate = $1 }),
    .word("revocationType", { $0.revocationType }, { $0.revocationType = $1 }),
    .int32("revocationPercentage", { $0.revocationPercentage }, { $0.revocationPercentage = $1 }),
    .flag("isUpgraded", { $0.isUpgraded }, { $0.isUpgraded = $1 }),
    .code("offerType", { $0.offerType }, { $0.offerType = $1 }),
    .text("offerIdentifier", { $0.offerIdentifier }, { $0.offerIdentifier = $1 }),
    .word("offerDiscountType", { $0.offerDiscountType }, { $0.offerDiscountType = $1 }),
    .text("offerPeriod", { $0.offerPeriod }, { $0.offerPeriod = $1 }),
    .word("environment", { $0.environment }, { $0.environment = $1 }),
    .text("storefront", { $0.storefront }, { $0.storefront = $1 }),
    .text("storefrontId", { $0.storefrontId }, { $0.storefrontId = $1 }),
    .word("transactionReason", { $0.transactionReason }, { $0.transactionReason = $1 }),
    .int64("price", { $0.price }, { $0.price = $1 }),
    .text("currency", { $0.currency }, { $0.currency = $1 }),
    .text("appTransactionId", { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .word("billingPlanType", { $0.billingPlanType }, { $0.billingPlanType = $1 }),
    .object("commitmentInfo", { $0.commitmentInfo }, { $0.commitmentInfo = $1 }),
    .object("advancedCommerceInfo", { $0.advancedCommerceInfo }, { $0.advancedCommerceInfo = $1 }),
    .text("deviceVerification", { $0.deviceVerification }, { $0.deviceVerification = $1 }),
    .text(
      "deviceVerificationNonce", { $0.deviceVerificationNonce }, { $0.deviceVerificationNonce = $1 }
    ),
  ])
}
