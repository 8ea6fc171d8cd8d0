import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Reports of many spends at once.
struct SpendBatchTests {
  private static let anna = Signed.customer("anna")

  private static let rules = LedgerRules(
    catalogs: [
      "com.example.app": Catalog([
        CatalogEntry(
          productId: "coins", entitlements: [], creditsPerUnit: 50, creditUnit: "coins"),
        CatalogEntry(productId: "pro.monthly", entitlements: ["pro"]),
      ])
    ], policies: ["com.example.app": Policy([PolicyEntry(spentCredits: .debt)])], source: [])

  enum Purpose: CaseIterable {
    case right, credits
  }

  private static func items(_ count: Int, _ purpose: Purpose) -> [SpendReport] {
    (0..<count).map { place in
      SpendReport(
        customer: anna,
        purpose: SpendPurpose(
          entitlement: purpose == .right ? "pro" : nil,
          credits: purpose == .credits ? Credits(unit: "coins", amount: 1) : nil,
          cost: .milliunits(0)), spentAt: Signed.at(Int64(place)))
    }
  }

  private static func coins(_ id: String, bought: Int64 = 0) -> JWSTransactionDecodedPayload {
    Signed.transaction(
      id, token: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", bought: bought, type: .consumable
    ) { $0.productId = "coins" }
  }

  /// How many rows a report of so many items reads, by a customer with so many purchases and debts.
  private static func rows(
    _ count: Int, _ purpose: Purpose, with known: Int, isVouched: Bool
  ) throws -> Int {
    let store = try StoreKind.memory.open(rules: rules)
    if isVouched { try store.register("3f2504e0-4f89-41d3-9a0c-0305e82c3301", to: "anna") }
    for id in 0..<known {
      try store.record(Signed.delivery(Signed.transaction("s\(id)", token: "anna")))
    }
    if known > 0 { _ = try store.report(items(known, .credits), nil, 200) }
    let counter = RowCounter()
    _ = try store.write { (recorder) throws(StoreError) in
      try Recorder(
        session: CountingSession(recorder.session, counter), realm: .apple, rules: rules
      ).report(items(count, purpose), key: nil, now: Signed.at(300))
    }
    return counter.rows
  }

  @Test(arguments: Purpose.allCases, [false, true])
  func `an item of a report costs the same, whatever else the customer bought and owes`(
    purpose: Purpose, isVouched: Bool
  ) throws {
    func each(with known: Int) throws -> Int {
      let more = try Self.rows(40, purpose, with: known, isVouched: isVouched)
      return try (more - Self.rows(20, purpose, with: known, isVouched: isVouched)) / 20
    }
    let (few, many) = try (each(with: 1), each(with: 60))
    #expect(few == many)
    #expect(few < 20)
  }

  @Test(arguments: StoreKind.allCases)
  func `a report draws what is there, owes the rest, and tells of it once`(
    kind: StoreKind
  ) throws {
    let store = try kind.open(rules: Self.rules)
    try store.record(
      Signed.delivery(Self.coins("1")), Signed.delivery(Self.coins("2", bought: 5)))
    try store.register("3f2504e0-4f89-41d3-9a0c-0305e82c3301", to: "anna")
    let before = try store.reader.events(after: 0, limit: 500).count
    let key = RequestKey(
      caller: "backend", key: "k", requestSHA256: Fingerprint(of: [1]).bytes)
    let outcome = try store.report(Self.items(130, .credits), key, 200)
    guard case .recorded(let records) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let paying = records.map { $0.charges.first?.transactionId }
    #expect(paying == (0..<130).map { $0 < 50 ? "1" : $0 < 100 ? "2" : nil })
    #expect(records.map(\.uncovered).reduce(0, +) == 30)
    #expect(try store.figures(of: Self.anna) == ["coins balance -30 available 0 owed 30"])
    let told = try store.reader.events(after: 0, limit: 500).dropFirst(before)
    #expect(told.map(\.type) == ["balanceChanged"])
    #expect(try store.report(Self.items(130, .credits), key, 201) == .repeated(records))
    // A later purchase pays the oldest of what is owed, spend by spend.
    try store.record(Signed.delivery(Self.coins("3", bought: 210)))
    #expect(try store.figures(of: Self.anna) == ["coins balance 20 available 20 owed 0"])
  }

  @Test(arguments: StoreKind.allCases)
  func `one report may name many customers and units, and what each has`(kind: StoreKind) throws {
    let store = try kind.open(rules: Self.rules)
    try store.record(
      Signed.delivery(Signed.transaction("s", token: "anna", days: 1)),
      Signed.delivery(
        Signed.transaction("t", original: "s", token: "anna", signed: 2_000, bought: 2_000)))
    let names = ["anna", "ben", "anna", "ben"]
    let reports = names.enumerated().map { place, name in
      SpendReport(
        customer: Signed.customer(name),
        purpose: SpendPurpose(entitlement: "pro", cost: .milliunits(Int64(place))),
        spentAt: Signed.at(place < 2 ? 10 : 2_010))
    }
    guard case .recorded(let records) = try store.report(reports, nil, 3_000) else {
      Issue.record("not recorded")
      return
    }
    #expect(records.map { $0.charges.first?.transactionId } == ["s", nil, "t", nil])
    #expect(records.map(\.customer.id.text) == names)
  }

  @Test(arguments: StoreKind.allCases)
  func `an item before the catalog changed hides nothing from one after it`(
    kind: StoreKind
  ) throws {
    let catalog = Catalog([
      CatalogEntry(productId: "pro.monthly", entitlements: ["basic"]),
      CatalogEntry(
        productId: "pro.monthly", effectiveFrom: Signed.at(1_900), entitlements: ["pro"]),
    ])
    let store = try kind.open(
      rules: LedgerRules(catalogs: ["com.example.app": catalog], policies: [:], source: []))
    try store.record(
      Signed.delivery(Signed.transaction("s", token: "anna", days: 1)),
      Signed.delivery(
        Signed.transaction("t", original: "s", token: "anna", signed: 2_000, bought: 2_000)))
    let reports = [10, 2_010].map { minute in
      SpendReport(
        customer: Self.anna, purpose: SpendPurpose(entitlement: "pro", cost: .milliunits(1)),
        spentAt: Signed.at(minute))
    }
    guard case .recorded(let records) = try store.report(reports, nil, 3_000) else {
      Issue.record("not recorded")
      return
    }
    #expect(records.last?.charges.first?.transactionId == "t")
  }
}

extension TestStore {
  fileprivate func report(
    _ items: [SpendReport], _ key: RequestKey?, _ minute: Int64
  ) throws -> RecordingOutcome {
    try ledger.wait {
      ledger.report(items, key: key, now: Signed.at(minute), completion: $0)
    }
  }
}
