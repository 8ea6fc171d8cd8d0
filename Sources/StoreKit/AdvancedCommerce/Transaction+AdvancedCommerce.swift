public import Foundation

// The texts behind the words are those of Apple's server documents: its interface does not show them.

extension Transaction {
  /// Apple's `Transaction.AdvancedCommerceInfo`: what an Advanced Commerce purchase consists of.
  public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {
    public let requestReferenceID: String
    public let estimatedTax: Decimal
    public let taxRate: Decimal
    public let taxExclusivePrice: Decimal
    public let taxCode: String
    public let description: String?
    public let displayName: String?
    public let period: Product.SubscriptionPeriod?
    public let items: [Transaction.AdvancedCommerceInfo.Item]

    init(_ json: SignedJSON) {
      let descriptors = json.object("descriptors")
      requestReferenceID = json.text("requestReferenceId") ?? ""
      estimatedTax = json.milliunits("estimatedTax") ?? 0
      taxRate = json.text("taxRate").flatMap { Decimal(string: $0) } ?? 0
      taxExclusivePrice = json.milliunits("taxExclusivePrice") ?? 0
      taxCode = json.text("taxCode") ?? ""
      description = descriptors?.text("description")
      displayName = descriptors?.text("displayName")
      period = json.period("period")
      items = (json.objects("items") ?? []).map { Item($0) }
    }
  }
}

extension Transaction.AdvancedCommerceInfo {
  /// Apple's `Partner`.
  public struct Partner: Equatable, Hashable, Sendable {
    public let id: String
    public let name: String?

    init(_ json: SignedJSON) {
      id = json.text("id") ?? ""
      name = json.text("name")
    }
  }

  /// Apple's `Item`.
  public struct Item: Equatable, Hashable, Sendable {
    public let details: Transaction.AdvancedCommerceInfo.Item.Details
    public let refunds: [Transaction.AdvancedCommerceInfo.Refund]?
    public let revocationDate: Date?

    init(_ json: SignedJSON) {
      details = Details(json)
      refunds = json.objects("refunds")?.map { Transaction.AdvancedCommerceInfo.Refund($0) }
      revocationDate = json.date("revocationDate")
    }
  }
}

extension Transaction.AdvancedCommerceInfo.Item {
  /// Apple's `Details`.
  public struct Details: Equatable, Hashable, Sendable {
    public let sku: String
    public let displayName: String
    public let description: String
    public let offer: Transaction.AdvancedCommerceInfo.Offer?
    public let price: Decimal
    public let partners: [Transaction.AdvancedCommerceInfo.Partner]

    init(_ json: SignedJSON) {
      sku = json.text("SKU") ?? ""
      displayName = json.text("displayName") ?? ""
      description = json.text("description") ?? ""
      offer = json.object("offer").map { Transaction.AdvancedCommerceInfo.Offer($0) }
      price = json.milliunits("price") ?? 0
      partners = (json.objects("partners") ?? []).map {
        Transaction.AdvancedCommerceInfo.Partner($0)
      }
    }
  }
}
