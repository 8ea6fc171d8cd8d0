import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Tokens that a backend registers, on every store.
struct TokenTests {
  private static let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

  @Test(arguments: StoreKind.allCases)
  func `purchases that carry a registered token follow its customer`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: Self.token)))
    #expect(try store.reader.owner(of: Signed.key("1"))?.text == Self.token)
    #expect(try store.register(Self.token.uppercased(), "anna") == .done(changed: true))
    #expect(try store.register(Self.token, "anna") == .done(changed: false))
    #expect(try store.reader.owner(of: Signed.key("1"))?.text == "anna")
    try store.record(Signed.delivery(Signed.transaction("2", token: Self.token)))
    #expect(try store.reader.owner(of: Signed.key("2"))?.text == "anna")
    #expect(try store.register(Self.token, "ben") == .registeredElsewhere)
    let events = try store.reader.events(after: 0, limit: 9)
    let told = events.map { event in "\(event.customer?.text ?? "") \(event.type)" }
    #expect(told.contains("anna granted"))
    let timeline = try store.reader.timeline(of: Signed.customer("anna"), limit: 99)
    #expect(
      timeline.contains { entry in
        guard case .sighting(let sighting) = entry.content else { return false }
        return sighting.statement?.contains("registeredToken") == true
      })
  }

  @Test(
    arguments: [
      "", "anna", "00000000-0000-0000-0000-000000000000", "3f2504e0-4f89-41d3-9a0c-0305e82c330",
      "3f2504e0-4f89-41d3-9a0c-0305e82c330g", "3f2504e04f8941d39a0c0305e82c3301",
    ])
  func `what is no UUID is no token`(text: String) throws {
    let store = try StoreKind.memory.open()
    #expect(try store.register(text, "anna") == .notAToken)
  }
}

extension TestStore {
  fileprivate func register(_ token: String, _ customer: String) throws -> TokenOutcome {
    try ledger.wait {
      ledger.register(
        token: token, to: Signed.customer(customer), now: Signed.at(5), completion: $0)
    }
  }
}
