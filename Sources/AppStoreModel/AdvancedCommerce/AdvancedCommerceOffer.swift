/// An offer on an Advanced Commerce item.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceOffer`.
public struct AdvancedCommerceOffer: Hashable, Sendable {
  /// Shape: an ISO 8601 duration.
  public var period: String?
  public var periodCount: Int32?
  /// Unit: milliunits of the currency.
  public var price: Int64?
  public var reason: AdvancedCommerceOfferReason?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceOffer: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceOffer>([
    .text("period", { $0.period }, { $0.period = $1 }),
    .int32("periodCount", { $0.periodCount }, { $0.periodCount = $1 }),
    .int64("price", { $0.price }, { $0.price = $1 }),
    .word("reason", { $0.reason }, { $0.reason = $1 }),
  ])
}
