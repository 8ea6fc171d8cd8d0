import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Forgetting a customer, on every store.
struct ErasureTests {
  private static let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
  private static let account = "704123456789"
  private static let anna = Signed.customer("anna.b@example.com")
  /// Whatever leads to the customer.
  private static let traces = [
    "anna.b@example.com", token, account, "gpu-render", "goodwill note", "file-of-anna",
    "key-of-anna",
  ]

  private static var rules: LedgerRules {
    let coins = CatalogEntry(
      productId: "coins", entitlements: [], creditsPerUnit: 50, creditUnit: "coins")
    let pro = CatalogEntry(productId: "pro.monthly", entitlements: ["pro"])
    return LedgerRules(
      catalogs: ["com.example.app": Catalog([coins, pro])],
      policies: ["com.example.app": Policy([PolicyEntry(spentCredits: .debt)])], source: [])
  }

  private static func pro(
    _ id: String = "1", signed: Int64 = 0, revoked: Int64? = nil
  ) -> JWSTransactionDecodedPayload {
    Signed.transaction(id, token: token, signed: signed, revoked: revoked) {
      $0.appTransactionId = account
    }
  }

  private static func coins(signed: Int64 = 0, revoked: Int64? = nil)
    -> JWSTransactionDecodedPayload
  {
    Signed.transaction("2", token: token, signed: signed, type: .consumable, revoked: revoked) {
      $0.productId = "coins"
      $0.appTransactionId = account
    }
  }

  private static func ask(
    _ credits: Int64?, key: String? = nil, _ customer: CustomerKey = anna
  ) -> SpendRequest {
    SpendRequest(
      customer: customer,
      purpose: SpendPurpose(
        entitlement: credits == nil ? "pro" : nil,
        credits: credits.map { Credits(unit: "coins", amount: $0) },
        measure: SpendMeasure(kind: "gpu-render", unit: "second", units: 7), cost: .milliunits(40)),
      holdLength: .minutes(600),
      idempotency: key.map {
        .init(caller: "backend", key: $0, requestSHA256: .init(repeating: 1, count: 32))
      })
  }

  /// A customer with everything that a customer can have.
  private static func full(_ kind: StoreKind, path: String? = nil) throws -> TestStore {
    let store = try path.map { try TestStore(path: $0, rules: rules) } ?? kind.open(rules: rules)
    try beNamedByAppleAlone(store)
    try store.register(token, to: anna.id.text)
    try store.record(
      Signed.notification(
        .subscribed, "n1", pro(), renewal: Signed.renewal("1", signed: 0), status: .active,
        signed: 0),
      Signed.delivery(coins()))
    _ = try store.link("1", anna.id.text)
    try fill(store)
    return store
  }

  /// Before a backend said who it is: as the token in one purchase, as the Apple Account of another.
  private static func beNamedByAppleAlone(_ store: TestStore) throws {
    let unnamed = Signed.transaction("3") {
      $0.productId = "coins"
      $0.appTransactionId = account
    }
    try store.record(Signed.delivery(pro()), Signed.delivery(unnamed))
    for (place, name) in [token, "atx:" + account].enumerated() {
      let key = place == 0 ? "key-of-anna-too" : nil
      _ = try store.authorize(ask(nil, key: key, Signed.customer(name)), "early\(place)", 1)
    }
  }

  private static func fill(_ store: TestStore) throws {
    _ = try store.authorize(ask(nil, key: "key-of-anna"), "a1", 2)
    _ = try store.settle("a1", .milliunits(30), 3)
    _ = try store.authorize(ask(20), "a2", 4)
    _ = try store.settle("a2", .milliunits(40), 5)
    _ = try store.authorize(ask(nil), "open", 6)
    let grant = ManualGrant(
      id: "g", customer: anna.id, entitlement: "gold", from: Signed.at(0), until: nil)
    let terms = RunningCost.Terms(
      customer: anna, name: "file-of-anna", basis: .entitlement("pro"),
      measure: SpendMeasure(kind: "gpu-render", unit: "second", units: 9), cost: .milliunits(10),
      period: .minutes(60), onRevocation: .stop)
    _ = try store.write { (recorder) throws(StoreError) in
      _ = try recorder.grant(
        grant, in: Signed.scope,
        GrantStatement(by: "admin", reason: "goodwill note", at: Signed.at(7)))
      _ = try recorder.record(
        Consent(
          isGiven: true, recordedBy: "backend", note: "goodwill note", recordedAt: Signed.at(7)),
        of: anna)
      return try recorder.run(terms, now: Signed.at(7))
    }
    _ = try store.state("payout", days: 30)
    try store.record(
      Signed.notification(.consumptionRequest, "c", coins(signed: 8), signed: 8))
  }

  private static func spent(_ credits: Int64, on customer: CustomerKey) -> SpendReport {
    SpendReport(
      customer: customer,
      purpose: SpendPurpose(
        entitlement: nil, credits: Credits(unit: "coins", amount: credits),
        measure: SpendMeasure(kind: "gpu-render", unit: "second", units: 7), cost: .milliunits(4)),
      spentAt: Signed.at(55))
  }

  private static func erase(_ store: TestStore, at minute: Int64 = 90) throws -> Erasure {
    try store.ledger.wait {
      store.ledger.erase(
        anna, as: "erased:0011", by: "admin", now: Signed.at(minute), completion: $0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `nothing that leads to an erased customer is left anywhere in the store`(
    kind: StoreKind
  ) throws {
    let store = try Self.full(kind)
    let found = try Set(store.finding(Self.traces).map(\.trace))
    #expect(found.symmetricDifference(Self.traces) == [])
    let erasure = try Self.erase(store)
    #expect(erasure.isChanged)
    #expect(erasure.purchases == 3)
    let left = try store.finding(Self.traces).map(\.description)
    #expect(left == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `what was bought, spent and refunded stays to the last unit, without a person`(
    kind: StoreKind
  ) throws {
    let store = try Self.full(kind)
    try store.record(
      Signed.notification(.refund, "r", Self.pro(signed: 50, revoked: 40), signed: 50))
    _ = try store.process(at: 90)
    let before = (try store.postedSums(), try store.charged(), try store.state("payout", days: 30))
    _ = try Self.erase(store)
    #expect(try store.postedSums() == before.0)
    #expect(try store.charged() == before.1)
    #expect(try store.state("payout", days: 30)?.state == before.2?.state)
    #expect(try store.state("payout", days: 30)?.customer == nil)
    #expect(try store.reader.owner(of: Signed.key("1")) == nil)
    let refunds = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.refunds(in: Signed.scope, afterChain: 0, limit: 9).refunds
    }
    #expect(refunds.map(\.refund.netRefund?.milliunits) == [9_990])
    #expect(refunds.map(\.customer) == [nil])
    #expect(try store.reader.answer(of: Self.anna, now: Signed.at(91)).decisions == [])
    #expect(try store.figures(of: Self.anna) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `open holds are revoked and their holders told by the hold's id`(kind: StoreKind) throws {
    let store = try Self.full(kind)
    _ = try Self.erase(store)
    let told = try store.reader.events(after: 0, limit: 999).filter { $0.type == "holdRevoked" }
    #expect(told.count { $0.payload.contains(#""id":"open""#) } == 1)
    let names = Set(try store.reader.events(after: 0, limit: 999).compactMap(\.customer?.text))
    #expect(names.contains("erased:0011") && names.count > 1)
    #expect(names.filter { !$0.hasPrefix("erased:") } == [])
    guard case .done(let closed, let record) = try store.settle("open", .milliunits(5), 95) else {
      Issue.record("what was spent is not recorded")
      return
    }
    #expect(closed.state == .settled)
    #expect(record?.cost == .milliunits(5))
    #expect(try store.costs(of: Self.anna) == [])
    #expect(try store.process(at: 5_000).events.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `what Apple says later is applied, and leads to nobody`(kind: StoreKind) throws {
    let store = try Self.full(kind)
    _ = try Self.erase(store)
    let last = try store.reader.lastEventPosition()
    try store.record(
      Signed.notification(.refund, "r", Self.pro(signed: 200, revoked: 190), signed: 200),
      Signed.delivery(Self.pro(signed: 200, revoked: 190), .poll, received: 201),
      Signed.delivery(Self.pro(), .poll, received: 202),
      Signed.delivery(Self.coins(), .import, received: 203))
    #expect(try store.postedSums() == ["1 1 USD 9990"])
    let news = try store.reader.events(after: last, limit: 99)
    #expect(news.map(\.type) == ["payoutChanged", "refunded"])
    #expect(news.map(\.customer) == [nil, nil])
    let left = try store.finding(Self.traces).map(\.description)
    #expect(left == [])
    // The same copies by another channel are no contest.
    let chain = try store.reader.chain(Signed.key("1"))
    #expect(chain?.transactions.values.map(\.isContested) == [false])
  }

  @Test(arguments: StoreKind.allCases)
  func `a new purchase with the old token is nobody's until a backend says whose it is`(
    kind: StoreKind
  ) throws {
    let store = try Self.full(kind)
    let told = try store.reader.answer(of: Self.anna, now: Signed.at(80)).version
    _ = try Self.erase(store)
    try store.record(Signed.delivery(Self.pro("7", signed: 100)))
    #expect(try store.reader.owner(of: Signed.key("7")) == nil)
    try store.register(Self.token, to: Self.anna.id.text)
    #expect(try store.reader.owner(of: Signed.key("7")) == Self.anna.id)
    #expect(try store.reader.owner(of: Signed.key("1")) == nil)
    // A consumer that drops what is older than it has seen does not drop this.
    #expect(try store.reader.answer(of: Self.anna, now: Signed.at(101)).version > told)
    #expect(try store.link("1", "ben") == .done(changed: true))
    #expect(try store.reader.owner(of: Signed.key("1"))?.text == "ben")
  }

  @Test(arguments: StoreKind.allCases)
  func `spend of two customers is not recorded anew by a repeat after one was erased`(
    kind: StoreKind
  ) throws {
    let store = try Self.full(kind)
    let ben = Signed.customer("ben")
    try store.record(
      Signed.delivery(
        Signed.transaction("8", token: "ben", type: .consumable) { $0.productId = "coins" }))
    let items = [Self.anna, ben].map { Self.spent(10, on: $0) }
    let key = { (mark: UInt8) in
      RequestKey(caller: "backend", key: "both", requestSHA256: .init(repeating: mark, count: 32))
    }
    guard case .recorded(let first) = try store.report(items, key(1), at: 60) else {
      Issue.record("not recorded")
      return
    }
    let balance = try store.figures(of: ben)
    _ = try Self.erase(store)
    guard case .repeated(let again) = try store.report(items, key(1), at: 91) else {
      Issue.record("recorded anew")
      return
    }
    #expect(again.map(\.id) == first.map(\.id))
    #expect(again.map(\.customer.id.text) == ["erased:0011", "ben"])
    #expect(try store.report(items, key(2), at: 92) == .conflict)
    #expect(try store.figures(of: ben) == balance)
    // The key of a customer who is erased later stays known as well.
    _ = try store.ledger.wait {
      store.ledger.erase(ben, as: "erased:0022", by: nil, now: Signed.at(93), completion: $0)
    }
    guard case .repeated = try store.report(items, key(1), at: 94) else {
      Issue.record("recorded anew after the second erasure")
      return
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a question or a grant is not answered anew by a repeat after its customer was erased`(
    kind: StoreKind
  ) throws {
    let store = try Self.full(kind)
    _ = try Self.erase(store)
    let holds = try store.count("authorizations")
    guard
      case .repeated(let known) = try store.authorize(Self.ask(nil, key: "key-of-anna"), "a3", 95)
    else {
      Issue.record("answered anew")
      return
    }
    #expect(known.id == "a1")
    #expect(known.customer.id.text == "erased:0011")
    #expect(try store.count("authorizations") == holds)
    let grant = ManualGrant(
      id: "g", customer: Self.anna.id, entitlement: "gold", from: Signed.at(0), until: nil)
    let outcome = try store.write { (recorder) throws(StoreError) in
      try recorder.grant(
        grant, in: Signed.scope, GrantStatement(by: "admin", reason: nil, at: Signed.at(96)))
    }
    #expect(outcome == .conflict)
    #expect(try store.count("manual_grants") == 0)
  }

  @Test func `an Apple Account that is another customer's, or one of its own, stays its name`()
    throws
  {
    let store = try StoreKind.memory.open(rules: Self.rules)
    let unnamed = Signed.transaction("9") { $0.appTransactionId = Self.account }
    try store.record(Signed.delivery(unnamed), Signed.delivery(Self.pro()))
    try store.register(Self.token, to: Self.anna.id.text)
    #expect(try Self.erase(store).purchases == 1)
    #expect(try store.reader.owner(of: Signed.key("9"))?.text == "atx:" + Self.account)
    #expect(try store.link("9", "ben") == .done(changed: true))
    #expect(try store.reader.owner(of: Signed.key("9"))?.text == "ben")
  }

  @Test(arguments: StoreKind.allCases)
  func `erasing again, or somebody unknown, changes nothing`(kind: StoreKind) throws {
    let store = try Self.full(kind)
    _ = try Self.erase(store)
    let before = try store.fingerprint()
    #expect(try Self.erase(store) == Erasure())
    #expect(try kind.open().reader.lastEventPosition() == 0)
    #expect(try store.fingerprint() == before)
  }

  @Test(arguments: ["token", "account"])
  func `a customer whom only Apple's data named is not named again by it`(name: String) throws {
    let store = try StoreKind.memory.open(rules: Self.rules)
    let copy = { (id: String) in
      Signed.transaction(id, token: name == "token" ? Self.token : nil) {
        $0.appTransactionId = Self.account
      }
    }
    try store.record(Signed.delivery(copy("1")))
    let owner = try #require(try store.reader.owner(of: Signed.key("1")))
    let key = CustomerKey(scope: Signed.scope, id: owner)
    _ = try store.ledger.wait {
      store.ledger.erase(key, as: "erased:1", by: nil, now: Signed.at(5), completion: $0)
    }
    try store.record(Signed.delivery(copy("2")))
    #expect(try store.reader.owner(of: Signed.key("2")) != owner)
    #expect(try store.reader.answer(of: key, now: Signed.at(9)).decisions == [])
  }

  @Test func `an erasure survives the end of the process`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    do {
      let store = try Self.full(.file, path: path)
      _ = try Self.erase(store)
      store.ledger.store.close()
    }
    let store = try TestStore(path: path, rules: Self.rules)
    let left = try store.finding(Self.traces).map(\.description)
    #expect(left == [])
    #expect(try Self.erase(store) == Erasure())
    try store.record(Signed.delivery(Self.pro("7", signed: 100)))
    #expect(try store.reader.owner(of: Signed.key("7")) == nil)
  }
}

/// Where something was found that should be nowhere.
struct Trace: CustomStringConvertible {
  let trace: String
  let place: String

  var description: String { "\(trace) in \(place)" }
}

extension TestStore {
  fileprivate func report(
    _ items: [SpendReport], _ key: RequestKey, at minute: Int64
  ) throws -> RecordingOutcome {
    try write { (recorder) throws(StoreError) in
      try recorder.report(items, key: key, now: Signed.at(minute))
    }
  }

  /// Looks for texts in every column of every table.
  func finding(_ traces: [String]) throws -> [Trace] {
    try reader.read { (recorder) throws(StoreError) in
      let session = recorder.session
      var found: [Trace] = []
      let columns = try session.rows(Self.columns, []) { (row) throws(StoreError) in
        (table: try row.requiredText(0), column: try row.requiredText(1))
      }
      for (table, column) in columns {
        let statement = SQLStatement(
          "SELECT count(*) FROM \(table) WHERE instr(lower(CAST(\(column) AS TEXT)), ?) > 0")
        for trace in traces where try session.number(statement, [.text(trace)]) != 0 {
          found.append(Trace(trace: trace, place: "\(table).\(column)"))
        }
      }
      return found
    }
  }

  private static let columns = SQLStatement(
    """
    SELECT tables.name, columns.name
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
      -- The words in which an app counts are nobody's.
      AND tables.name <> 'spend_kinds'
    """)

  /// What is charged to each purchase.
  fileprivate func charged() throws -> [String] {
    let statement = SQLStatement(
      """
      SELECT coalesce(chain_id, 0) || ' ' || coalesce(transaction_id, '') || ' '
        || sum(cost_microunits) || ' ' || sum(credits) || ' ' || coalesce(max(lateness), '')
      FROM spend_charges GROUP BY chain_id, transaction_id ORDER BY 1
      """)
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.session.rows(statement, []) { (row) throws(StoreError) in
        try row.requiredText(0)
      }
    }
  }
}
