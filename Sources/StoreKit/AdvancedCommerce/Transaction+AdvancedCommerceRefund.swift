public import Foundation

extension Transaction.AdvancedCommerceInfo {
  /// Apple's `Offer`.
  public struct Offer: Equatable, Hashable, Sendable {
    /// Apple's `Offer.Reason`.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let acquisition: Transaction.AdvancedCommerceInfo.Offer.Reason = .init(
        rawValue: "ACQUISITION")
      public static let retention: Transaction.AdvancedCommerceInfo.Offer.Reason = .init(
        rawValue: "RETENTION")
      public static let winBack: Transaction.AdvancedCommerceInfo.Offer.Reason = .init(
        rawValue: "WIN_BACK")
    }

    public let price: Decimal
    public let period: Product.SubscriptionPeriod
    public let periodCount: Int
    public let reason: Transaction.AdvancedCommerceInfo.Offer.Reason

    init(_ json: SignedJSON) {
      price = json.milliunits("price") ?? 0
      period = json.period("period") ?? .monthly
      periodCount = Int(json.number("periodCount") ?? 1)
      reason = Reason(rawValue: json.text("reason") ?? "")
    }
  }

  /// Apple's `Refund`.
  public struct Refund: Equatable, Hashable, Sendable {
    /// Apple's `Refund.Reason`.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let legal: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "LEGAL")
      public static let modifyItems: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "MODIFY_ITEMS_REFUND")
      public static let unintended: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "UNINTENDED_PURCHASE")
      public static let unfulfilled: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "FULFILLMENT_ISSUE")
      public static let unsatisfied: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "UNSATISFIED_WITH_PURCHASE")
      public static let other: Transaction.AdvancedCommerceInfo.Refund.Reason = .init(
        rawValue: "OTHER")
    }

    /// Apple's `Refund.RefundType`.
    public struct RefundType: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let custom: Transaction.AdvancedCommerceInfo.Refund.RefundType = .init(
        rawValue: "CUSTOM")
      public static let proRated: Transaction.AdvancedCommerceInfo.Refund.RefundType = .init(
        rawValue: "PRORATED")
      public static let full: Transaction.AdvancedCommerceInfo.Refund.RefundType = .init(
        rawValue: "FULL")
    }

    public let reason: Transaction.AdvancedCommerceInfo.Refund.Reason
    public let type: Transaction.AdvancedCommerceInfo.Refund.RefundType
    public let date: Date
    public let amount: Decimal

    init(_ json: SignedJSON) {
      reason = Reason(rawValue: json.text("refundReason") ?? "")
      type = RefundType(rawValue: json.text("refundType") ?? "")
      date = json.date("refundDate") ?? .distantPast
      amount = json.milliunits("refundAmount") ?? 0
    }
  }
}
