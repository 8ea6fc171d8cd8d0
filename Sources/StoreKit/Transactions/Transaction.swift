public import Foundation

/// Apple's `Transaction`: one purchase or renewal, as the store signed it.
///
/// Source: StoreKit's Swift interface, macOS 27.0 SDK.
public struct Transaction: Identifiable {
  public typealias ID = UInt64

  public var jsonRepresentation: Data { json.data(without: hidden) }
  public let id: UInt64
  public let originalID: UInt64
  public let webOrderLineItemID: String?
  public let productID: String
  public let subscriptionGroupID: String?
  public let appBundleID: String
  public let purchaseDate: Date
  public let originalPurchaseDate: Date
  public let expirationDate: Date?
  public let purchasedQuantity: Int
  public let isUpgraded: Bool
  public let offer: Transaction.Offer?
  public let revocationDate: Date?
  public let revocationReason: Transaction.RevocationReason?
  public let revocationType: Transaction.RevocationType?
  public var revocationPercentage: Decimal? { json.milliunits("revocationPercentage") }
  public let productType: Product.ProductType
  public let appAccountToken: UUID?
  public let environment: AppStore.Environment
  public let reason: Transaction.Reason
  public let storefront: Storefront
  public var price: Decimal? { json.milliunits("price") }
  public var currency: Locale.Currency? { json.text("currency").map { Locale.Currency($0) } }
  public var bundleProductID: String? { json.text("bundleProductId") }
  public var bundleSubscriptionGroupID: String? { json.text("bundleSubscriptionGroupIdentifier") }
  public var previousOriginalTransactionID: UInt64? {
    json.identifier("previousOriginalTransactionId")
  }
  public var bundleTransactionID: String? { json.text("bundleTransactionId") }
  public var bundleOriginalTransactionID: String? { json.text("bundleOriginalTransactionId") }
  public var appTransactionID: String { json.text("appTransactionId") ?? "" }
  public let deviceVerification: Data
  public let deviceVerificationNonce: UUID
  public let ownershipType: Transaction.OwnershipType
  public let signedDate: Date
  public let advancedCommerceInfo: Transaction.AdvancedCommerceInfo?
  public let billingPlanType: Product.SubscriptionInfo.BillingPlanType?
  public let commitmentInfo: Transaction.CommitmentInfo?

  package let jws: String
  private let hidden: Set<String>

  /// The members are read from the signed JSON at each call, as Apple's back-deployed getters do.
  private var json: SignedJSON { SignedJSON(jws: jws) }

  /// Reads what the store signed.
  package init(jws: String, hiding hidden: Set<String> = []) {
    let json = SignedJSON(jws: jws)
    self.jws = jws
    self.hidden = hidden
    id = json.identifier("transactionId") ?? 0
    originalID = json.identifier("originalTransactionId") ?? 0
    webOrderLineItemID = json.text("webOrderLineItemId")
    productID = json.text("productId") ?? ""
    subscriptionGroupID = json.text("subscriptionGroupIdentifier")
    appBundleID = json.text("bundleId") ?? ""
    purchaseDate = json.date("purchaseDate") ?? .distantPast
    originalPurchaseDate = json.date("originalPurchaseDate") ?? .distantPast
    expirationDate = json.date("expiresDate")
    purchasedQuantity = Int(json.number("quantity") ?? 1)
    isUpgraded = json.flag("isUpgraded") ?? false
    offer = Offer(json)
    revocationDate = json.date("revocationDate")
    revocationReason = json.number("revocationReason").map { .init(rawValue: Int($0)) }
    revocationType = json.text("revocationType").map { .init(rawValue: $0) }
    productType = Product.ProductType(rawValue: json.text("type") ?? "")
    appAccountToken = json.uuid("appAccountToken")
    environment = AppStore.Environment(rawValue: json.text("environment") ?? "")
    reason = Reason(rawValue: json.text("transactionReason") ?? "PURCHASE")
    storefront = Storefront(
      id: json.text("storefrontId") ?? "", countryCode: json.text("storefront") ?? "")
    deviceVerification = json.bytes("deviceVerification") ?? Data()
    deviceVerificationNonce = json.uuid("deviceVerificationNonce") ?? UUID()
    ownershipType = OwnershipType(rawValue: json.text("inAppOwnershipType") ?? "")
    signedDate = json.date("signedDate") ?? .distantPast
    advancedCommerceInfo = json.object("advancedCommerceInfo").map { AdvancedCommerceInfo($0) }
    billingPlanType = json.text("billingPlanType").map { .init(rawValue: $0) }
    commitmentInfo = json.object("commitmentInfo").map { CommitmentInfo($0) }
  }

  public func finish() async {
    await StandIn.device?.finish(id)
  }
}

extension Transaction: Equatable {
  public static func == (lhs: Transaction, rhs: Transaction) -> Bool { lhs.jws == rhs.jws }
}

extension Transaction: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(jws) }
}

extension Transaction: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Transaction: Sendable {}
