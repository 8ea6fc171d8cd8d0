/// One item of an Advanced Commerce purchase.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceTransactionItem`.
public struct AdvancedCommerceTransactionItem: Hashable, Sendable {
  public var sku: String?
  public var description: String?
  public var displayName: String?
  /// Unit: milliunits of the currency.
  public var price: Int64?
  public var offer: AdvancedCommerceOffer?
  /// One item can be refunded several times.
  public var refunds: [AdvancedCommerceRefund]?
  public var revocationDate: Timestamp?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceTransactionItem: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceTransactionItem>([
    .text("SKU", { $0.sku }, { $0.sku = $1 }),
    .text("description", { $0.description }, { $0.description = $1 }),
    .text("displayName", { $0.displayName }, { $0.displayName = $1 }),
    .int64("price", { $0.price }, { $0.price = $1 }),
    .object("offer", { $0.offer }, { $0.offer = $1 }),
    .objects("refunds", { $0.refunds }, { $0.refunds = $1 }),
    .moment("revocationDate", { $0.revocationDate }, { $0.revocationDate = $1 }),
  ])
}
