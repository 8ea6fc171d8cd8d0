/// A coming price increase of an Advanced Commerce item.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommercePriceIncreaseInfo`.
public struct AdvancedCommercePriceIncreaseInfo: Hashable, Sendable {
  /// Unit: milliunits of the currency.
  public var price: Int64?
  public var status: AdvancedCommercePriceIncreaseStatus?
  public var dependentSKUs: [String]?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommercePriceIncreaseInfo: JSONPayload {
  package static let members = MemberTable<AdvancedCommercePriceIncreaseInfo>([
    .int64("price", { $0.price }, { $0.price = $1 }),
    .word("status", { $0.status }, { $0.status = $1 }),
    .texts("dependentSKUs", { $0.dependentSKUs }, { $0.dependentSKUs = $1 }),
  ])
}
