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

    public static func == (a: Transaction.AdvancedCommerceInfo, b: Transaction.AdvancedCommerceInfo)
      -> Bool
    {
      a.requestReferenceID == b.requestReferenceID && a.taxCode == b.taxCode && a.items == b.items
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(requestReferenceID)
      hasher.combine(taxCode)
      hasher.combine(items)
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

    public static func == (
      a: Transaction.AdvancedCommerceInfo.Partner, b: Transaction.AdvancedCommerceInfo.Partner
    ) -> Bool {
      a.id == b.id && a.name == b.name
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(name)
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

    public static func == (
      a: Transaction.AdvancedCommerceInfo.Item, b: Transaction.AdvancedCommerceInfo.Item
    ) -> Bool {
      a.details == b.details && a.refunds == b.refunds && a.revocationDate == b.revocationDate
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(details)
      hasher.combine(refunds)
      hasher.combine(revocationDate)
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

    public static func == (
      a: Transaction.AdvancedCommerceInfo.Item.Details,
      b: Transaction.AdvancedCommerceInfo.Item.Details
    ) -> Bool {
      a.sku == b.sku && a.displayName == b.displayName && a.description == b.description
        && a.offer == b.offer && a.price == b.price && a.partners == b.partners
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(sku)
      hasher.combine(displayName)
      hasher.combine(description)
      hasher.combine(offer)
      hasher.combine(price)
      hasher.combine(partners)
    }
  }
}
