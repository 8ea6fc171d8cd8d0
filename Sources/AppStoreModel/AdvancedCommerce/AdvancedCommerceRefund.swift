/// One refund of an Advanced Commerce item.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceRefund`.
public struct AdvancedCommerceRefund: Hashable, Sendable {
  /// Unit: milliunits of the currency.
  public var refundAmount: Int64?
  public var refundDate: Timestamp?
  public var refundReason: AdvancedCommerceRefundReason?
  public var refundType: AdvancedCommerceRefundType?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceRefund: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceRefund>([
    .int64("refundAmount", { $0.refundAmount }, { $0.refundAmount = $1 }),
    .moment("refundDate", { $0.refundDate }, { $0.refundDate = $1 }),
    .word("refundReason", { $0.refundReason }, { $0.refundReason = $1 }),
    .word("refundType", { $0.refundType }, { $0.refundType = $1 }),
  ])
}
