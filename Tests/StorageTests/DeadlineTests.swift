import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Answers that change by time alone, on every store.
struct DeadlineTests {
  @Test(arguments: StoreKind.allCases)
  func `an expiry gives its event and version without a fact`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna", days: 1)))
    let due = try #require(try store.reader.nextDeadline())
    #expect(due == Signed.at(1_440))
    let anna = Signed.customer("anna")
    #expect(try store.process(at: 1_439).processed == 0)
    let early = try store.reader.answer(of: anna, now: Signed.at(1_440))
    #expect(early.decision(on: "pro.monthly").verdict == .denied)
    #expect(early.version == 1)
    let report = try store.process(at: 1_440)
    #expect(report.events == [2])
    #expect(report.nextDue == nil)
    let later = try store.reader.answer(of: anna, now: Signed.at(1_441))
    #expect(later.version == 2)
    #expect(later.decisions == early.decisions)
    #expect(try store.reader.events(after: 1, limit: 9).map(\.type) == ["expired"])
    #expect(try store.process(at: 1_441).processed == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `other rules make every answer due, the same rules none`(kind: StoreKind) throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    guard kind == .file else { return }
    let catalog = Catalog([CatalogEntry(productId: "pro.monthly", entitlements: ["gold"])])
    let rules = LedgerRules(
      catalogs: ["com.example.app": catalog], policies: [:], source: Array("gold".utf8))
    do {
      let store = try TestStore(path: path)
      #expect(try store.adoptRules() == false)
      try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    }
    let store = try TestStore(path: path, rules: rules)
    #expect(try store.adoptRules())
    #expect(try store.adoptRules() == false)
    let state = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(3))
    #expect(state.decision(on: "gold").verdict == .granted)
    #expect(try store.process(at: 3).processed == 1)
    let types = try store.reader.events(after: 1, limit: 9).map(\.type)
    #expect(types == ["granted", "uncertain"])
  }
}

extension TestStore {
  func adoptRules() throws -> Bool {
    try ledger.wait { ledger.adoptRules(now: Signed.at(2), completion: $0) }
  }
}
