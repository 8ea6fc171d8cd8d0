public import Foundation

extension Product {
  /// Apple's `Product.SubscriptionPeriod`.
  public struct SubscriptionPeriod: Equatable, Hashable {
    /// Apple's `Product.SubscriptionPeriod.Unit`.
    public enum Unit: Equatable, Hashable { case day, week, month, year }

    public let unit: Product.SubscriptionPeriod.Unit
    public let value: Int
  }

  /// Apple's `Product.SubscriptionOffer`.
  public struct SubscriptionOffer: Equatable, Hashable {
    /// Apple's `Product.SubscriptionOffer.OfferType`: text here, a number in a transaction.
    public struct OfferType: RawRepresentable, Equatable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let introductory: Product.SubscriptionOffer.OfferType = .init(
        rawValue: "Introductory")
      public static let promotional: Product.SubscriptionOffer.OfferType = .init(
        rawValue: "Promotional")
      public static let winBack: Product.SubscriptionOffer.OfferType = .init(rawValue: "WinBack")
    }

    /// Apple's `Product.SubscriptionOffer.PaymentMode`.
    public struct PaymentMode: RawRepresentable, Equatable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let payAsYouGo: Product.SubscriptionOffer.PaymentMode = .init(
        rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront: Product.SubscriptionOffer.PaymentMode = .init(
        rawValue: "PAY_UP_FRONT")
      public static let freeTrial: Product.SubscriptionOffer.PaymentMode = .init(
        rawValue: "FREE_TRIAL")
    }

    /// Apple's `Product.SubscriptionOffer.Signature`: the one type with a public initializer.
    public struct Signature: Equatable, Hashable, Sendable {
      public var keyID: String
      public var nonce: UUID
      public var timestamp: Int
      public var signature: Data

      public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
      }
    }

    public let id: String?
    public let type: Product.SubscriptionOffer.OfferType
    public let price: Decimal
    public let displayPrice: String
    public let period: Product.SubscriptionPeriod
    public let periodCount: Int
    public let paymentMode: Product.SubscriptionOffer.PaymentMode
  }

  /// Apple's `Product.SubscriptionInfo`.
  public struct SubscriptionInfo: Equatable, Hashable {
    public let introductoryOffer: Product.SubscriptionOffer?
    public let promotionalOffers: [Product.SubscriptionOffer]
    public let winBackOffers: [Product.SubscriptionOffer]
    public let subscriptionGroupID: String
    public let subscriptionPeriod: Product.SubscriptionPeriod
    public let pricingTerms: [Product.SubscriptionInfo.PricingTerms]
    public let bundledSubscriptions: [Product.SubscriptionInfo.BundledSubscription]
    public var groupLevel: Int { 1 }
    public var groupDisplayName: String { subscriptionGroupID }
    public var isEligibleForIntroOffer: Bool {
      get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    init(groupID: String) {
      introductoryOffer = nil
      promotionalOffers = []
      winBackOffers = []
      subscriptionGroupID = groupID
      subscriptionPeriod = SubscriptionPeriod(unit: .month, value: 1)
      pricingTerms = []
      bundledSubscriptions = []
    }

    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
      let statuses = try? await status(for: groupID)
      return statuses?.isEmpty ?? false
    }
  }
}

extension Product.SubscriptionInfo: Sendable {}
extension Product.SubscriptionPeriod: Sendable {}
extension Product.SubscriptionPeriod.Unit: Sendable {}
extension Product.SubscriptionOffer: Sendable {}
extension Product.SubscriptionOffer.OfferType: Sendable {}
extension Product.SubscriptionOffer.PaymentMode: Sendable {}

public typealias SubscriptionInfo = Product.SubscriptionInfo
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
