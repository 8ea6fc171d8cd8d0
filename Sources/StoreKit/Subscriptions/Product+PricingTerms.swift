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
  }
}
