public import Foundation

extension Product.SubscriptionInfo {
  /// Apple's `BillingPlanType`.
  public struct BillingPlanType: Equatable, Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let monthly: Product.SubscriptionInfo.BillingPlanType = .init(
      rawValue: "MONTHLY")
    public static let upFront: Product.SubscriptionInfo.BillingPlanType = .init(
      rawValue: "BILLED_UPFRONT")
  }

  /// Apple's `Product.SubscriptionInfo.CommitmentInfo`.
  public struct CommitmentInfo: Hashable, Sendable {
    public let price: Decimal
    public let displayPrice: String
    public let period: Product.SubscriptionPeriod

    public static func == (
      a: Product.SubscriptionInfo.CommitmentInfo, b: Product.SubscriptionInfo.CommitmentInfo
    ) -> Bool {
      a.price == b.price && a.displayPrice == b.displayPrice && a.period == b.period
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(price) }
  }

  /// Apple's `Product.SubscriptionInfo.PricingTerms`.
  public struct PricingTerms: Hashable, Sendable {
    public let billingPrice: Decimal
    public let billingDisplayPrice: String
    public let billingPeriod: Product.SubscriptionPeriod
    public let billingPlanType: Product.SubscriptionInfo.BillingPlanType
    public let commitmentInfo: Product.SubscriptionInfo.CommitmentInfo
    public let subscriptionOffers: [Product.SubscriptionOffer]

    public subscript(
      offers type: Product.SubscriptionOffer.OfferType
    ) -> [Product.SubscriptionOffer] {
      subscriptionOffers.filter { $0.type == type }
    }

    public static func == (
      a: Product.SubscriptionInfo.PricingTerms, b: Product.SubscriptionInfo.PricingTerms
    ) -> Bool {
      a.billingPrice == b.billingPrice && a.billingPlanType == b.billingPlanType
        && a.commitmentInfo == b.commitmentInfo && a.subscriptionOffers == b.subscriptionOffers
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(billingPrice) }
  }

  /// Apple's `Product.SubscriptionInfo.BundledSubscription`.
  public struct BundledSubscription: Equatable, Hashable, Sendable {
    public let id: String
    public let displayName: String
    public let description: String
    public let price: Decimal
    public let displayPrice: String
    public let isFamilyShareable: Bool
    public let subscriptionGroupID: String
    public let subscriptionGroupLevel: Int
    public let subscriptionGroupDisplayName: String

    public static func == (
      a: Product.SubscriptionInfo.BundledSubscription,
      b: Product.SubscriptionInfo.BundledSubscription
    ) -> Bool {
      a.id == b.id && a.price == b.price && a.subscriptionGroupID == b.subscriptionGroupID
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}
