public import Foundation

extension Product.SubscriptionInfo {
  /// Apple's `Product.SubscriptionInfo.RenewalInfo`.
  public struct RenewalInfo {
    /// Apple's `ExpirationReason`.
    public struct ExpirationReason: RawRepresentable, Equatable, Hashable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }
      public static let autoRenewDisabled: Product.SubscriptionInfo.RenewalInfo.ExpirationReason =
        .init(rawValue: 1)
      public static let billingError: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(
        rawValue: 2)
      public static let didNotConsentToPriceIncrease:
        Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(
          rawValue: 3)
      public static let productUnavailable: Product.SubscriptionInfo.RenewalInfo.ExpirationReason =
        .init(rawValue: 4)
      public static let unknown: Product.SubscriptionInfo.RenewalInfo.ExpirationReason = .init(
        rawValue: 5)
      public static var unbundled: Product.SubscriptionInfo.RenewalInfo.ExpirationReason {
        .init(rawValue: 6)
      }
    }

    /// Apple's `PriceIncreaseStatus`.
    @frozen public enum PriceIncreaseStatus: Equatable, Hashable {
      case noIncreasePending, pending, agreed
    }

    /// Apple's `RenewalInfo.CommitmentInfo`.
    public struct CommitmentInfo: Sendable, Hashable {
      public let autoRenewPreference: String
      public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
      public let renewalDate: Date
      public let renewalPrice: Decimal
      public let willAutoRenew: Bool

      init(_ json: SignedJSON) {
        autoRenewPreference = json.text("commitmentAutoRenewProductId") ?? ""
        renewalBillingPlanType = .init(
          rawValue: json.text("commitmentRenewalBillingPlanType") ?? "")
        renewalDate = json.date("commitmentRenewalDate") ?? .distantPast
        renewalPrice = json.milliunits("commitmentRenewalPrice") ?? 0
        willAutoRenew = json.number("commitmentAutoRenewStatus") == 1
      }
    }

    public var jsonRepresentation: Data { json.data }
    public let originalTransactionID: UInt64
    public let currentProductID: String
    public let willAutoRenew: Bool
    public let autoRenewPreference: String?
    public let expirationReason: Product.SubscriptionInfo.RenewalInfo.ExpirationReason?
    public let priceIncreaseStatus: Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus
    public let isInBillingRetry: Bool
    public let gracePeriodExpirationDate: Date?
    public let offer: Transaction.Offer?
    public let environment: AppStore.Environment
    public var recentSubscriptionStartDate: Date {
      json.date("recentSubscriptionStartDate") ?? .distantPast
    }
    public var renewalDate: Date? { json.date("renewalDate") }
    public var renewalPrice: Decimal? { json.milliunits("renewalPrice") }
    public var currency: Locale.Currency? { json.text("currency").map { Locale.Currency($0) } }
    public let eligibleWinBackOfferIDs: [String]
    public var bundleProductID: String? { json.text("bundleProductId") }
    public var bundleSubscriptionGroupID: String? {
      json.text("bundleSubscriptionGroupIdentifier")
    }
    public var bundleOriginalTransactionID: String? { json.text("bundleOriginalTransactionId") }
    public var willUnbundle: Bool { json.flag("willUnbundle") ?? false }
    public let deviceVerification: Data
    public let deviceVerificationNonce: UUID
    public let signedDate: Date
    public var appAccountToken: UUID? { json.uuid("appAccountToken") }
    public var appTransactionID: String { json.text("appTransactionId") ?? "" }
    public let commitmentInfo: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo?
    public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType?
    public let advancedCommerceInfo: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo?
    public var offerID: String? { json.text("offerIdentifier") }
    public var offerType: Transaction.OfferType? {
      json.number("offerType").map { Transaction.OfferType(rawValue: Int($0)) }
    }

    package let jws: String

    private var json: SignedJSON { SignedJSON(jws: jws) }

    /// Reads what the store signed.
    package init(jws: String) {
      let json = SignedJSON(jws: jws)
      self.jws = jws
      originalTransactionID = json.identifier("originalTransactionId") ?? 0
      currentProductID = json.text("productId") ?? ""
      willAutoRenew = json.number("autoRenewStatus") == 1
      autoRenewPreference = json.text("autoRenewProductId")
      expirationReason = json.number("expirationIntent").map { .init(rawValue: Int($0)) }
      priceIncreaseStatus =
        switch json.number("priceIncreaseStatus") {
        case 0: .pending
        case 1: .agreed
        default: .noIncreasePending
        }
      isInBillingRetry = json.flag("isInBillingRetryPeriod") ?? false
      gracePeriodExpirationDate = json.date("gracePeriodExpiresDate")
      offer = Transaction.Offer(json)
      environment = AppStore.Environment(rawValue: json.text("environment") ?? "")
      eligibleWinBackOfferIDs = json.list("eligibleWinBackOfferIds") ?? []
      deviceVerification = json.bytes("deviceVerification") ?? Data()
      deviceVerificationNonce = json.uuid("deviceVerificationNonce") ?? UUID()
      signedDate = json.date("signedDate") ?? .distantPast
      commitmentInfo = json.object("commitmentInfo").map { CommitmentInfo($0) }
      advancedCommerceInfo = json.object("advancedCommerceInfo").map { AdvancedCommerceInfo($0) }
      renewalBillingPlanType = json.text("renewalBillingPlanType").map { .init(rawValue: $0) }
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo: Equatable {
  public static func == (
    lhs: Product.SubscriptionInfo.RenewalInfo, rhs: Product.SubscriptionInfo.RenewalInfo
  ) -> Bool {
    lhs.jws == rhs.jws
  }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(jws) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product.SubscriptionInfo.RenewalInfo: Sendable {}
extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason: Sendable {}
extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus: Sendable {}
