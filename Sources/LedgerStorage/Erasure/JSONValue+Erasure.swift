import AppStoreModel

extension JSONValue {
  /// The same with a mark for the customer's name, and without what spend was for or anybody wrote.
  func erased(customer mark: String) -> JSONValue {
    switch self {
    case .array(let values): return .array(values.map { $0.erased(customer: mark) })
    case .object(let members):
      let isSpend = self["units"] != nil
      return .object(
        members.compactMap { member in
          Self.kept(member, isSpend: isSpend, customer: mark).map { .init(member.name, $0) }
        })
    default: return self
    }
  }

  /// What is kept of a member; `isSpend` where the object around it says what something was used for.
  private static func kept(
    _ member: Member, isSpend: Bool, customer mark: String
  ) -> JSONValue? {
    switch member.name {
    case "customer": .string(mark)
    case "note", "body", "errorText": nil
    case "kind", "unit", "entitlement", "name": isSpend ? .string("erased") : member.value
    case "units": isSpend ? .integer(0) : member.value
    default: member.value.erased(customer: mark)
    }
  }
}
