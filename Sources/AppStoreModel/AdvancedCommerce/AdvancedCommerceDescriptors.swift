/// How an Advanced Commerce purchase is shown.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `AdvancedCommerceDescriptors`.
public struct AdvancedCommerceDescriptors: Hashable, Sendable {
  public var description: String?
  public var displayName: String?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension AdvancedCommerceDescriptors: JSONPayload {
  package static let members = MemberTable<AdvancedCommerceDescriptors>([
    .text("description", { $0.description }, { $0.description = $1 }),
    .text("displayName", { $0.displayName }, { $0.displayName = $1 }),
  ])
}
