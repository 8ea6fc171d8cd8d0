/// How a subscription will renew, as the App Store signs it.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `JWSRenewalInfoDecodedPayload`.
public struct JWSRenewalInfoDecodedPayload: Hashable, Sendable {
  /// Binds it to its transaction: the payload names no app.
  public var originalTransactionId: String?
  public var productId: String?
  public var autoRenewProductId: String?
  public var autoRenewStatus: AutoRenewStatus?
  public var expirationIntent: ExpirationIntent?
  public var isInBillingRetryPeriod: Bool?
  public var gracePeriodExpiresDate: Timestamp?
  public var priceIncreaseStatus: PriceIncreaseStatus?
  public var offerType: OfferType?
  public var offerIdentifier: String?
  public var offerDiscountType: OfferDiscountType?
  /// Shape: an ISO 8601 duration.
  public var offerPeriod: String?
  public var recentSubscriptionStartDate: Timestamp?
  /// The end of the newest purchase.
  public var renewalDate: Timestamp?
  /// Unit: milliunits of the currency.
  public var renewalPrice: Int64?
  /// Shape: an ISO 4217 code.
  public var currency: String?
  /// Best first.
  public var eligibleWinBackOfferIds: [String]?
  /// The token that the coming renewal will carry.
  public var appAccountToken: String?
  public var appTransactionId: String?
  public var renewalBillingPlanType: BillingPlanType?
  public var commitmentInfo: RenewalCommitmentInfo?
  public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
  public var environment: AppStoreEnvironment?
  public var signedDate: Timestamp?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension JWSRenewalInfoDecodedPayload {
  /// Reads a whole JSON text.
  public init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload) {
    try self.init(whole: json)
  }

  /// Its JSON text: known members in a fixed order, then the unknown ones.
  public func json() -> [UInt8] {
    written()
  }
}

extension JWSRenewalInfoDecodedPayload: JSONPayload {
  package static let members = MemberTable<JWSRenewalInfoDecodedPayload>([
    .text("originalTransactionId", { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .text("productId", { $0.productId }, { $0.productId = $1 }),
    .text("autoRenewProductId", { $0.autoRenewProductId }, { $0.autoRenewProductId = $1 }),
    .code("autoRenewStatus", { $0.autoRenewStatus }, { $0.autoRenewStatus = $1 }),
    .code("expirationIntent", { $0.expirationIntent }, { $0.expirationIntent = $1 }),
    .flag(
      "isInBillingRetryPeriod", { $0.isInBillingRetryPeriod }, { $0.isInBillingRetryPeriod = $1 }),
    .moment(
      "gracePeriodExpiresDate", { $0.gracePeriodExpiresDate }, { $0.gracePeriodExpiresDate = $1 }),
    .code("priceIncreaseStatus", { $0.priceIncreaseStatus }, { $0.priceIncreaseStatus = $1 }),
    .code("offerType", { $0.offerType }, { $0.offerType = $1 }),
    .text("offerIdentifier", { $0.offerIdentifier }, { $0.offerIdentifier = $1 }),
    .word("offerDiscountType", { $0.offerDiscountType }, { $0.offerDiscountType = $1 }),
    .text("offerPeriod", { $0.offerPeriod }, { $0.offerPeriod = $1 }),
    .moment(
      "recentSubscriptionStartDate", { $0.recentSubscriptionStartDate },
      { $0.recentSubscriptionStartDate = $1 }),
    .moment("renewalDate", { $0.renewalDate }, { $0.renewalDate = $1 }),
    .int64("renewalPrice", { $0.renewalPrice }, { $0.renewalPrice = $1 }),
    .text("currency", { $0.currency }, { $0.currency = $1 }),
    .texts(
      "eligibleWinBackOfferIds", { $0.eligibleWinBackOfferIds }, { $0.eligibleWinBackOfferIds = $1 }
    ),
    .text("appAccountToken", { $0.appAccountToken }, { $0.appAccountToken = $1 }),
    .text("appTransactionId", { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .word(
      "renewalBillingPlanType", { $0.renewalBillingPlanType }, { $0.renewalBillingPlanType = $1 }),
    .object("commitmentInfo", { $0.commitmentInfo }, { $0.commitmentInfo = $1 }),
    .object("advancedCommerceInfo", { $0.advancedCommerceInfo }, { $0.advancedCommerceInfo = $1 }),
    .word("environment", { $0.environment }, { $0.environment = $1 }),
    .moment("signedDate", { $0.signedDate }, { $0.signedDate = $1 }),
  ])
}
