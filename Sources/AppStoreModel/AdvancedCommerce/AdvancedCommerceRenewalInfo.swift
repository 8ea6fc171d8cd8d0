/// How an Advanced Commerce subscription will renew.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceRenewalInfo`.
public struct AdvancedCommerceRenewalInfo: Hashable, Sendable {
  public var consistencyToken: String?
  public var descriptors: AdvancedCommerceDescriptors?
  public var items: [AdvancedCommerceRenewalItem]?
  /// Shape: an ISO 8601 duration.
  public var period: String?
  public var requestReferenceId: String?
  public var taxCode: String?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceRenewalInfo: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceRenewalInfo>([
    .text("consistencyToken", { $0.consistencyToken }, { $0.consistencyToken = $1 }),
    .object("descriptors", { $0.descriptors }, { $0.descriptors = $1 }),
    .objects("items", { $0.items }, { $0.items = $1 }),
    .text("period", { $0.period }, { $0.period = $1 }),
    .text("requestReferenceId", { $0.requestReferenceId }, { $0.requestReferenceId = $1 }),
    .text("taxCode", { $0.taxCode }, { $0.taxCode = $1 }),
  ])
}
