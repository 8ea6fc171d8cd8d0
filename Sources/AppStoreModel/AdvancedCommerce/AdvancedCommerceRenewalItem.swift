/// One item of an Advanced Commerce renewal.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceRenewalItem`.
public struct AdvancedCommerceRenewalItem: Hashable, Sendable {
  public var sku: String?
  public var description: String?
  public var displayName: String?
  public var offer: AdvancedCommerceOffer?
  /// Unit: milliunits of the currency.
  public var price: Int64?
  public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceRenewalItem: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceRenewalItem>([
    .text("SKU", { $0.sku }, { $0.sku = $1 }),
    .text("description", { $0.description }, { $0.description = $1 }),
    .text("displayName", { $0.displayName }, { $0.displayName = $1 }),
    .object("offer", { $0.offer }, { $0.offer = $1 }),
    .int64("price", { $0.price }, { $0.price = $1 }),
    .object("priceIncreaseInfo", { $0.priceIncreaseInfo }, { $0.priceIncreaseInfo = $1 }),
  ])
}
