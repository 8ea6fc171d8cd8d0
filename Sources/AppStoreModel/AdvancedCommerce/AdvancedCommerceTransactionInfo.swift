/// What an Advanced Commerce purchase consists of.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceTransactionInfo`.
public struct AdvancedCommerceTransactionInfo: Hashable, Sendable {
  public var requestReferenceId: String?
  public var descriptors: AdvancedCommerceDescriptors?
  public var items: [AdvancedCommerceTransactionItem]?
  /// Shape: an ISO 8601 duration.
  public var period: String?
  public var taxCode: String?
  /// Shape: a decimal number.
  public var taxRate: String?
  /// Unit: milliunits of the currency.
  public var taxExclusivePrice: Int64?
  /// Unit: milliunits of the currency.
  public var estimatedTax: Int64?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceTransactionInfo: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceTransactionInfo>([
    .text("requestReferenceId", { $0.requestReferenceId }, { $0.requestReferenceId = $1 }),
    .object("descriptors", { $0.descriptors }, { $0.descriptors = $1 }),
    .objects("items", { $0.items }, { $0.items = $1 }),
    .text("period", { $0.period }, { $0.period = $1 }),
    .text("taxCode", { $0.taxCode }, { $0.taxCode = $1 }),
    .text("taxRate", { $0.taxRate }, { $0.taxRate = $1 }),
    .int64("taxExclusivePrice", { $0.taxExclusivePrice }, { $0.taxExclusivePrice = $1 }),
    .int64("estimatedTax", { $0.estimatedTax }, { $0.estimatedTax = $1 }),
  ])
}
