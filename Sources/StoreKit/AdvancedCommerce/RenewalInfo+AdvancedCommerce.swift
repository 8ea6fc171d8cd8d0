public import Foundation

extension Product.SubscriptionInfo.RenewalInfo {
  /// Apple's `RenewalInfo.AdvancedCommerceInfo`: what renews in an Advanced Commerce subscription.
  public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
    public let consistencyToken: String
    public let requestReferenceID: String
    public let taxCode: String
    public let description: String
    public let displayName: String
    public let period: Product.SubscriptionPeriod
    public let items: [Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item]

    init(_ json: SignedJSON) {
      let descriptors = json.object("descriptors")
      consistencyToken = json.text("consistencyToken") ?? ""
      requestReferenceID = json.text("requestReferenceId") ?? ""
      taxCode = json.text("taxCode") ?? ""
      description = descriptors?.text("description") ?? ""
      displayName = descriptors?.text("displayName") ?? ""
      period = json.period("period") ?? .monthly
      items = (json.objects("items") ?? []).map { Item($0) }
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo {
  /// Apple's `Item`.
  public struct Item: Equatable, Hashable, Sendable {
    public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

    public let details: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.Details
    public let priceIncreaseInfo:
      Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo?

    init(_ json: SignedJSON) {
      details = Details(json)
      priceIncreaseInfo = json.object("priceIncreaseInfo").map { PriceIncreaseInfo($0) }
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item {
  /// Apple's `PriceIncreaseInfo`.
  public struct PriceIncreaseInfo: Equatable, Hashable, Sendable {
    /// Apple's `PriceIncreaseInfo.Status`.
    public struct Status: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let pending:
        Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status =
          .init(rawValue: "PENDING")
      public static let accepted:
        Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status =
          .init(rawValue: "ACCEPTED")
      public static let scheduled:
        Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status =
          .init(rawValue: "SCHEDULED")
    }

    public let status:
      Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status
    public let price: Decimal
    public let dependentSKUs: [String]

    init(_ json: SignedJSON) {
      status = Status(rawValue: json.text("status") ?? "")
      price = json.milliunits("price") ?? 0
      dependentSKUs = json.list("dependentSKUs") ?? []
    }
  }
}
