import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Catalogs that are stated over the configuration's.
struct StatedRulesTests {
  private static let key = StatedRules.Key(
    bundleId: "com.example.app", subject: .product("pro.monthly"))
  private static let rules = LedgerRules(
    catalogs: [
      "com.example.app": Catalog([CatalogEntry(productId: "pro.monthly", entitlements: ["pro"])])
    ], policies: [:], source: [7])

  private static func state(
    _ store: TestStore, _ content: StatedRules.Content, _ minute: Int64
  ) throws -> Bool {
    try store.ledger.wait {
      store.ledger.state(
        .init(content: content, statedBy: "admin", statedAt: Signed.at(minute)), about: key,
        completion: $0)
    }
  }

  private static func entitlements(_ store: TestStore) throws -> [String] {
    let anna = Signed.customer("anna")
    return try store.reader.answer(of: anna, now: Signed.at(60)).decisions
      .filter { $0.verdict == .granted }.map(\.entitlement)
  }

  @Test func `a statement outlives the process, and so does its withdrawal`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    do {
      let store = try TestStore(path: path, rules: Self.rules)
      try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
      let gold = CatalogEntry(
        productId: "pro.monthly", effectiveFrom: Signed.at(-9), entitlements: ["gold", "beta"],
        typeHint: .nonRenewingSubscription, length: .days(9), creditsPerUnit: 5,
        creditUnit: "gems", isFamilyShareable: true)
      #expect(try Self.state(store, .catalog([gold]), 10))
      #expect(try !Self.state(store, .catalog([gold]), 11))
      #expect(store.ledger.rules.catalog("com.example.app").entries(of: "pro.monthly") == [gold])
      _ = try store.process(at: 12)
      #expect(try Self.entitlements(store) == ["beta", "gold"])
      store.ledger.store.close()
    }
    do {
      let store = try TestStore(path: path, rules: Self.rules)
      #expect(
        try !store.ledger.wait { store.ledger.adoptRules(now: Signed.at(20), completion: $0) })
      #expect(try Self.entitlements(store) == ["beta", "gold"])
      #expect(try Self.state(store, .withdrawn, 21))
      _ = try store.process(at: 22)
      #expect(try Self.entitlements(store) == ["pro"])
      store.ledger.store.close()
    }
    let store = try TestStore(path: path, rules: Self.rules)
    let statements = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.statements(about: Self.key)
    }
    #expect(statements.map(\.statedBy) == ["admin", "admin"])
    #expect(statements.map { $0.content == .withdrawn } == [false, true])
    #expect(try Self.entitlements(store) == ["pro"])
  }

  @Test(arguments: StoreKind.allCases)
  func `only those who bought a product are looked at again`(kind: StoreKind) throws {
    let store = try kind.open(rules: Self.rules)
    try store.record(
      Signed.delivery(Signed.transaction("1", token: "anna")),
      Signed.delivery(Signed.transaction("2", token: "ben") { $0.productId = "other" }))
    let entry = CatalogEntry(productId: "pro.monthly", entitlements: ["gold"])
    #expect(try Self.state(store, .catalog([entry]), 5))
    #expect(try store.process(at: 6).processed == 1)
    let policy = StatedRules.Key(bundleId: "com.example.app", subject: .policy)
    let stated = try store.ledger.wait {
      store.ledger.state(
        .init(
          content: .policy([PolicyEntry(unknownCustomer: .allow)]), statedBy: nil,
          statedAt: Signed.at(7)), about: policy, completion: $0)
    }
    #expect(stated)
    #expect(try store.process(at: 8).processed == 2)
    #expect(
      store.ledger.rules.policy("com.example.app").entry(at: Signed.at(9)).unknownCustomer == .allow
    )
  }
}
