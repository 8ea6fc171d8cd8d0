public import Foundation

extension Transaction {
  /// Apple's `Transaction.Reason`.
  public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchase: Transaction.Reason = .init(rawValue: "PURCHASE")
    public static let renewal: Transaction.Reason = .init(rawValue: "RENEWAL")
  }

  /// Apple's `Transaction.RevocationReason`.
  public struct RevocationReason: RawRepresentable, Equatable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let developerIssue: Transaction.RevocationReason = .init(rawValue: 1)
    public static let other: Transaction.RevocationReason = .init(rawValue: 0)
    public static var upgradedToBundle: Transaction.RevocationReason { .init(rawValue: 2) }
  }

  /// Apple's `Transaction.RevocationType`.
  public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let familyRevocation: Transaction.RevocationType = .init(
      rawValue: "FAMILY_REVOKE")
    public static let fullRefund: Transaction.RevocationType = .init(rawValue: "REFUND_FULL")
    public static let proratedRefund: Transaction.RevocationType = .init(
      rawValue: "REFUND_PRORATED")
    public static var assignmentRevocation: Transaction.RevocationType {
      .init(rawValue: "ASSIGNMENT_REVOKE")
    }
  }

  /// Apple's `Transaction.OfferType`.
  public struct OfferType: RawRepresentable, Equatable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let introductory: Transaction.OfferType = .init(rawValue: 1)
    public static let promotional: Transaction.OfferType = .init(rawValue: 2)
    public static let code: Transaction.OfferType = .init(rawValue: 3)
    public static var winBack: Transaction.OfferType { .init(rawValue: 4) }
  }

  /// Apple's `Transaction.OwnershipType`.
  public struct OwnershipType: RawRepresentable, Equatable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchased: Transaction.OwnershipType = .init(rawValue: "PURCHASED")
    public static let familyShared: Transaction.OwnershipType = .init(rawValue: "FAMILY_SHARED")
    public static var assigned: Transaction.OwnershipType { .init(rawValue: "ASSIGNED") }
  }

  /// Apple's `Transaction.Offer`.
  public struct Offer: Equatable, Hashable, Sendable {
    /// Apple's `Transaction.Offer.PaymentMode`.
    public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let freeTrial: Transaction.Offer.PaymentMode = .init(rawValue: "FREE_TRIAL")
      public static let payAsYouGo: Transaction.Offer.PaymentMode = .init(
        rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront: Transaction.Offer.PaymentMode = .init(
        rawValue: "PAY_UP_FRONT")
      public static var oneTime: Transaction.Offer.PaymentMode { .init(rawValue: "ONE_TIME") }
    }

    public let id: String?
    public let type: Transaction.OfferType
    public let paymentMode: Transaction.Offer.PaymentMode?
    public let period: Product.SubscriptionPeriod?

    init?(_ json: SignedJSON) {
      guard let type = json.number("offerType") else { return nil }
      id = json.text("offerIdentifier")
      self.type = OfferType(rawValue: Int(type))
      paymentMode = json.text("offerDiscountType").map { PaymentMode(rawValue: $0) }
      period = json.period("offerPeriod")
    }
  }

  /// Apple's `Transaction.CommitmentInfo`.
  public struct CommitmentInfo: Equatable, Hashable, Sendable {
    public let billingPeriodNumber: UInt64
    public let totalBillingPeriods: UInt64
    public let expirationDate: Date
    public let price: Decimal

    init(_ json: SignedJSON) {
      billingPeriodNumber = UInt64(max(0, json.number("billingPeriodNumber") ?? 0))
      totalBillingPeriods = UInt64(max(0, json.number("totalBillingPeriods") ?? 0))
      expirationDate = json.date("commitmentExpiresDate") ?? .distantPast
      price = json.milliunits("commitmentPrice") ?? 0
    }
  }

  /// Apple's `Transaction.RefundRequestError`.
  public enum RefundRequestError: Error {
    case duplicateRequest, failed
    case ineligible
  }

  /// Apple's `Transaction.RefundRequestStatus`.
  public enum RefundRequestStatus {
    case success, userCancelled
  }
}

extension Transaction.RevocationReason: Sendable {}
extension Transaction.OfferType: Sendable {}
extension Transaction.OwnershipType: Sendable {}
extension Transaction.RefundRequestError: Sendable {}
extension Transaction.RefundRequestStatus: Sendable {}

extension Transaction.RevocationReason {
  public var localizedDescription: String { "revocation reason \(rawValue)" }
}

extension Transaction.OfferType {
  public var localizedDescription: String { "offer type \(rawValue)" }
}

extension Transaction.OwnershipType {
  public var localizedDescription: String { rawValue }
}
