import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Credits that consumables fill, on every store.
struct CreditTests {
  static let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

  private static func rules(_ treatment: PolicyEntry.SpentCredits = .debt) -> LedgerRules {
    let entry = CatalogEntry(
      productId: "coins", entitlements: [], creditsPerUnit: 50, creditUnit: "coins")
    return LedgerRules(
      catalogs: ["com.example.app": Catalog([entry])],
      policies: ["com.example.app": Policy([PolicyEntry(spentCredits: treatment)])], source: [])
  }

  private static func coins(
    _ id: String, quantity: Int32 = 1, bought: Int64 = 0, signed: Int64 = 0, revoked: Int64? = nil,
    share: Int32? = nil, type: ProductType = .consumable
  ) -> JWSTransactionDecodedPayload {
    Signed.transaction(
      id, token: token, signed: signed, bought: bought, type: type, revoked: revoked
    ) { payload in
      payload.productId = "coins"
      payload.quantity = quantity
      if let share {
        payload.revocationType = .refundProrated
        payload.revocationPercentage = share
      }
    }
  }

  /// A customer with a hundred credits, whose token a backend registered unless told otherwise.
  private static func bought(
    _ kind: StoreKind, _ treatment: PolicyEntry.SpentCredits = .debt, isRegistered: Bool = true
  ) throws -> (TestStore, CustomerKey) {
    let store = try kind.open(rules: rules(treatment))
    try store.record(Signed.delivery(coins("1", quantity: 2)))
    guard isRegistered else { return (store, Signed.customer(token)) }
    try store.register(token, to: "anna")
    return (store, Signed.customer("anna"))
  }

  private static func refund(
    _ store: TestStore, _ id: String, at minute: Int64, quantity: Int32 = 2, share: Int32? = nil
  ) throws {
    let copy = coins(id, quantity: quantity, signed: minute, revoked: minute - 1, share: share)
    try store.record(Signed.notification(.refund, "r\(id)", copy, signed: minute))
  }

  private static func reverse(_ store: TestStore, _ id: String, at minute: Int64) throws {
    let copy = coins(id, quantity: 2, signed: minute)
    try store.record(Signed.notification(.refundReversed, "v\(id)", copy, signed: minute))
  }

  private static func ask(_ customer: CustomerKey, _ credits: Int64) -> SpendRequest {
    SpendRequest(
      customer: customer,
      purpose: SpendPurpose(
        entitlement: nil, credits: Credits(unit: "coins", amount: credits),
        cost: .milliunits(credits)), holdLength: .minutes(10))
  }

  @Test(arguments: StoreKind.allCases)
  func `quantity multiplies a consumable, and is seats with anything else`(kind: StoreKind) throws {
    let (store, anna) = try Self.bought(kind)
    #expect(try store.figures(of: anna) == ["coins balance 100 available 100 owed 0"])
    let other = try kind.open(rules: Self.rules())
    try other.record(Signed.delivery(Self.coins("1", quantity: 7, type: .nonConsumable)))
    #expect(try other.figures(of: Signed.customer(Self.token)) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a consumable that is reported again fills nothing again`(kind: StoreKind) throws {
    let (store, anna) = try Self.bought(kind)
    for minute in 1...3 as ClosedRange<Int64> {
      try store.record(Signed.delivery(Self.coins("1", quantity: 2, signed: minute)))
    }
    #expect(try store.figures(of: anna) == ["coins balance 100 available 100 owed 0"])
  }

  private static func fillSome(_ store: TestStore) throws -> Bool {
    try store.write { (recorder) throws(StoreError) in
      try recorder.fillLots(limit: 2, now: Signed.at(9))
    }
  }

  @Test
  func
    `what was bought before the catalog gave it an amount fills its lot, if need be after a restart`()
    throws
  {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    do {
      let store = try TestStore(path: path)
      for id in ["1", "2", "3"] { try store.record(Signed.delivery(Self.coins(id))) }
      #expect(try store.figures(of: Signed.customer(Self.token)) == [])
      store.ledger.store.close()
    }
    do {
      let store = try TestStore(path: path, rules: Self.rules())
      _ = try store.adoptRules()
      #expect(try Self.fillSome(store))
      store.ledger.store.close()
    }
    let store = try TestStore(path: path, rules: Self.rules())
    #expect(try !store.adoptRules())
    #expect(
      try store.figures(of: Signed.customer(Self.token))
        == ["coins balance 100 available 100 owed 0"])
    while try Self.fillSome(store) {}
    #expect(try !Self.fillSome(store))
    #expect(
      try store.figures(of: Signed.customer(Self.token))
        == ["coins balance 150 available 150 owed 0"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a hold is charged to the lots bought first, and settling splits the cost exactly`(
    kind: StoreKind
  ) throws {
    let (store, anna) = try Self.bought(kind)
    try store.record(Signed.delivery(Self.coins("2", bought: 5)))
    let hold = try #require(try store.authorize(Self.ask(anna, 130), "a", 6).decided)
    #expect(hold.isAllowed)
    #expect(hold.draws.map(\.transactionId) == ["1", "2"])
    #expect(hold.draws.map(\.credits) == [100, 30])
    #expect(try store.figures(of: anna) == ["coins balance 150 available 20 owed 0"])
    let refused = try #require(try store.authorize(Self.ask(anna, 21), "b", 6).decided)
    #expect(refused.reason == "insufficientCredits")
    guard case .done(_, let record?) = try store.settle("a", .milliunits(1), 7) else {
      Issue.record("not settled")
      return
    }
    #expect(record.charges.map(\.transactionId) == ["1", "2"])
    #expect(record.charges.map(\.credits) == [100, 30])
    #expect(record.charges.map(\.cost.microunits) == [770, 230])
    #expect(try store.figures(of: anna) == ["coins balance 20 available 20 owed 0"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund revokes the holds on its lot and tells their holders`(kind: StoreKind) throws {
    let (store, anna) = try Self.bought(kind)
    _ = try store.authorize(Self.ask(anna, 40), "a", 2)
    try Self.refund(store, "1", at: 5)
    #expect(try store.figures(of: anna) == ["coins balance 0 available 0 owed 0"])
    let told = try store.reader.events(after: 0, limit: 100)
    let revoked = try #require(told.first { $0.type == "holdRevoked" })
    #expect(revoked.payload.contains(#""id":"a""#))
    #expect(revoked.payload.contains(#""decision":"deny""#))
    let versions = told.filter { $0.customer == anna.id }.map(\.version)
    #expect(versions == versions.sorted())
    guard case .done(_, let record?) = try store.settle("a", .milliunits(40), 6) else {
      Issue.record("not settled")
      return
    }
    #expect(record.lateness == .ignored)
    #expect(record.charges.map(\.transactionId) == ["1"])
    #expect(try store.figures(of: anna) == ["coins balance 0 available 0 owed 0"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a hold of spent credits stays with its lot, and its refund is owed until it is reversed`(
    kind: StoreKind
  ) throws {
    let (store, anna) = try Self.bought(kind)
    _ = try store.authorize(Self.ask(anna, 100), "a", 2)
    _ = try store.settle("a", .milliunits(1), 3)
    try store.record(Signed.delivery(Self.coins("2", bought: 4)))
    try Self.refund(store, "1", at: 10)
    #expect(try store.figures(of: anna) == ["coins balance -50 available 0 owed 50"])
    try store.record(Signed.delivery(Self.coins("3", quantity: 2, bought: 11)))
    #expect(try store.figures(of: anna) == ["coins balance 50 available 50 owed 0"])
    try Self.reverse(store, "1", at: 20)
    #expect(try store.figures(of: anna) == ["coins balance 150 available 150 owed 0"])
    #expect(try store.lineSums() == ["coins 150"])
  }

  @Test(
    arguments: StoreKind.allCases,
    [
      (PolicyEntry.SpentCredits.debt, true, "coins balance -100 available 0 owed 100"),
      (.freeze, true, "coins balance 0 available 0 owed 0 frozen"),
      (.writeOff, true, "coins balance 0 available 0 owed 0"),
      (.debt, false, "coins balance 0 available 0 owed 0"),
      (.freeze, false, "coins balance 0 available 0 owed 0"),
    ])
  func `nobody owes for a token that no backend registered`(
    kind: StoreKind, row: (PolicyEntry.SpentCredits, Bool, String)
  ) throws {
    let (store, customer) = try Self.bought(kind, row.0, isRegistered: row.1)
    _ = try store.authorize(Self.ask(customer, 100), "a", 2)
    _ = try store.settle("a", .milliunits(1), 3)
    try Self.refund(store, "1", at: 10)
    #expect(try store.figures(of: customer) == [row.2])
    let debts = try store.balances(of: customer).flatMap(\.debts)
    #expect(debts.map(\.debt.credits) == [100])
    #expect(debts.map(\.transactionId) == ["1"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a prorated refund takes its share, and what it left can be spent`(kind: StoreKind) throws {
    let (store, anna) = try Self.bought(kind)
    try Self.refund(store, "1", at: 10, share: 41_500)
    #expect(try store.figures(of: anna) == ["coins balance 59 available 59 owed 0"])
    #expect(try store.authorize(Self.ask(anna, 59), "a", 11).decided?.isAllowed == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `a debt can be forgiven, and then spending goes on`(kind: StoreKind) throws {
    let (store, anna) = try Self.bought(kind, .freeze)
    _ = try store.authorize(Self.ask(anna, 60), "a", 2)
    _ = try store.settle("a", .milliunits(1), 3)
    try Self.refund(store, "1", at: 10, share: 80_000)
    let frozen = try #require(try store.authorize(Self.ask(anna, 1), "b", 11).decided)
    #expect(frozen.reason == "creditsFrozen")
    let debt = try #require(try store.balances(of: anna).first?.debts.first)
    let isDone = try store.ledger.wait { (completion: @escaping Ledger.Completion<Bool>) in
      store.ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.forgive(debt.id, of: anna, note: "goodwill", now: Signed.at(12))
      }
    }
    #expect(isDone)
    try store.record(Signed.delivery(Self.coins("2", bought: 13)))
    #expect(try store.authorize(Self.ask(anna, 50), "c", 14).decided?.isAllowed == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `a lot moves with its purchase, and what was spent of it goes along`(kind: StoreKind) throws
  {
    let (store, anna) = try Self.bought(kind)
    _ = try store.authorize(Self.ask(anna, 30), "a", 2)
    _ = try store.settle("a", .milliunits(1), 3)
    _ = try store.authorize(Self.ask(anna, 10), "b", 4)
    _ = try store.ledger.wait {
      store.ledger.transfer(
        "1", to: Signed.customer("bert"), note: "asked", now: Signed.at(5), completion: $0)
    }
    #expect(try store.figures(of: anna) == [])
    #expect(
      try store.figures(of: Signed.customer("bert")) == ["coins balance 70 available 70 owed 0"])
    #expect(
      try store.reader.events(after: 0, limit: 100).contains {
        $0.type == "holdRevoked" && $0.customer == anna.id
      })
  }
}

extension TestStore {
  func register(_ token: String, to name: String) throws {
    _ = try ledger.wait {
      ledger.register(
        token: token, to: Signed.customer(name), now: Signed.at(1), completion: $0)
    }
  }

  func balances(of customer: CustomerKey) throws -> [CreditBalance] {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.balances(of: customer, now: Signed.at(0)).balances
    }
  }

  func figures(of customer: CustomerKey) throws -> [String] {
    try balances(of: customer).map { balance in
      let book = balance.book
      return "\(balance.unit) balance \(book.balance) available \(book.available)"
        + " owed \(book.owed)" + (book.isFrozen ? " frozen" : "")
    }
  }

  /// What all lines of the books add up to, by unit.
  func lineSums() throws -> [String] {
    let statement = SQLStatement(
      "SELECT unit || ' ' || sum(balance_change) FROM credit_entries GROUP BY unit ORDER BY unit")
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.session.rows(statement, []) { (row) throws(StoreError) in
        try row.requiredText(0)
      }
    }
  }
}
