import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// The spend gate, on every store.
struct SpendingTests {
  private static let anna = Signed.customer("anna")

  private static func request(
    _ milliunits: Int64 = 500, key: String? = nil, body: String = "a"
  ) -> SpendRequest {
    SpendRequest(
      customer: anna,
      purpose: SpendPurpose(entitlement: "pro.monthly", cost: dollars(milliunits)),
      holdLength: .minutes(10),
      idempotency: key.map {
        .init(caller: "backend", key: $0, requestSHA256: Fingerprint(of: Array(body.utf8)).bytes)
      })
  }

  private static func dollars(_ milliunits: Int64) -> Cost {
    .milliunits(milliunits)
  }

  private static func bought(_ kind: StoreKind) throws -> TestStore {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    return store
  }

  private static func refund(_ store: TestStore, at minute: Int64 = 100) throws {
    let copy = Signed.transaction("1", token: "anna", signed: minute, revoked: minute - 5)
    try store.record(Signed.notification(.refund, "r", copy, signed: minute))
  }

  @Test(arguments: StoreKind.allCases)
  func `sums beyond 64 bits are over every budget, and nothing fails for them`(
    kind: StoreKind
  ) throws {
    let store = try Self.bought(kind)
    for id in ["a", "b", "c"] { _ = try store.authorize(Self.request(), id, 2) }
    for id in ["a", "b"] { _ = try store.settle(id, Self.dollars(500), 3) }
    #expect(try Self.budgeted(store, "d", 4)?.reason == "activePeriod")
    try Self.set("spends", to: .max / 2 + 1, in: store)
    #expect(try Self.budgeted(store, "e", 5)?.reason == "sandboxBudget")
    try Self.set("spends", to: 0, in: store)
    try Self.set("authorizations", to: .max, in: store)
    #expect(try Self.budgeted(store, "f", 6)?.reason == "sandboxBudget")
    try Self.set("spends", to: .max, in: store)
    #expect(try Self.budgeted(store, "g", 7)?.reason == "sandboxBudget")
  }

  /// What the gate says where sandbox purchases have a budget, which is the greatest there is.
  private static func budgeted(
    _ store: TestStore, _ id: String, _ minute: Int64
  ) throws -> SpendAuthorization? {
    let asked = request()
    let limited = SpendRequest(
      customer: asked.customer, purpose: asked.purpose, holdLength: asked.holdLength,
      limits: SpendLimits(
        openHolds: nil, sandboxBudget: .max - 1, budgetPeriod: .days(1)), idempotency: nil)
    return try store.authorize(limited, id, minute).decided
  }

  private static func set(_ table: String, to cost: Int64, in store: TestStore) throws {
    let statement = SQLStatement("UPDATE \(table) SET cost_microunits = ?")
    try store.write { (recorder) throws(StoreError) in
      try recorder.session.run(statement, [.integer(cost)])
      return
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an entitled customer may spend, and may not after the refund`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    let open = try #require(try store.authorize(Self.request(), "a1", 2).decided)
    #expect(open.isAllowed)
    #expect(open.transactionId == "1")
    #expect(open.originalTransactionId == "1")
    #expect(open.version == 1)
    #expect(open.lapsesAt == Signed.at(12))
    try Self.refund(store)
    let denied = try #require(try store.authorize(Self.request(), "a2", 102).decided)
    #expect(!denied.isAllowed)
    #expect(denied.reason == "refunded")
    // The refund is one version, the end of the hold that was open another.
    #expect(denied.version == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `the same key answers the same, with another body it is a conflict`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    let first = try #require(try store.authorize(Self.request(key: "k"), "a1", 2).decided)
    let again = try store.authorize(Self.request(key: "k"), "a2", 3)
    #expect(again == .repeated(first))
    #expect(try store.authorize(Self.request(key: "k", body: "b"), "a3", 3) == .conflict)
    try Self.refund(store)
    guard case .repeated(let late) = try store.authorize(Self.request(key: "k"), "a4", 102) else {
      Issue.record("not a repeat")
      return
    }
    #expect(!late.isAllowed)
    #expect(late.id == "a1")
  }

  @Test(arguments: StoreKind.allCases)
  func `unknown customers are answered by policy`(kind: StoreKind) throws {
    let allowing = Policy([PolicyEntry(unknownCustomer: .allow)])
    let rules = LedgerRules(
      catalogs: [:], policies: ["com.example.app": allowing], source: [1])
    let strict = try #require(try kind.open().authorize(Self.request(), "a", 1).decided)
    let open = try #require(try kind.open(rules: rules).authorize(Self.request(), "a", 1).decided)
    #expect([strict.isAllowed, open.isAllowed] == [false, true])
    #expect([strict.reason, open.reason] == ["noFacts", "noFacts"])
  }

  @Test(arguments: StoreKind.allCases)
  func `settling records everything and can be repeated`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.request(500), "a1", 2)
    let done = try store.settle("a1", Self.dollars(700), 3)
    guard case .done(let settled, let record?) = done else {
      Issue.record("\(done)")
      return
    }
    #expect(settled.state == .settled)
    #expect(record.isAboveHold)
    #expect(record.lateness == nil)
    #expect(try store.settle("a1", Self.dollars(700), 9) == done)
    #expect(try store.settle("a1", Self.dollars(1), 9) == .alreadyClosed(settled))
    #expect(try store.release("a1") == .alreadyClosed(settled))
    #expect(try store.count("spends") == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `refusals leave the hold as it was`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    let open = try #require(try store.authorize(Self.request(), "a1", 2).decided)
    let yen = Cost.milliunits(1, "JPY")
    #expect(try store.settle("a1", yen, 3) == .currencyMismatch)
    #expect(try store.settle("other", Self.dollars(1), 3) == .unknownAuthorization)
    #expect(try store.settle("a1", Self.dollars(1), 3, visible: false) == .unknownAuthorization)
    #expect(try store.release("a1", visible: false) == .unknownAuthorization)
    #expect(
      try store.ledger.wait {
        store.ledger.authorize(Self.request(0), id: "a9", now: Signed.at(3), completion: $0)
      }.decided?.isAllowed == true)
    guard case .done(let released, nil) = try store.release("a1") else {
      Issue.record("not released")
      return
    }
    #expect(released.state == .released)
    #expect(released.cost == open.cost)
    #expect(try store.release("a1") == .done(released, nil))
    #expect(try store.settle("a1", Self.dollars(1), 3) == .alreadyClosed(released))
  }

  @Test(arguments: StoreKind.allCases)
  func `a hold that was revoked is settled as ignored late spend`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.request(), "a1", 95)
    try Self.refund(store)
    guard case .done(_, let record?) = try store.settle("a1", Self.dollars(500), 102) else {
      Issue.record("not settled")
      return
    }
    #expect(record.lateness == .ignored)
  }

  @Test(arguments: StoreKind.allCases)
  func `what a job had spent before it was told of the revocation is not ignored late spend`(
    kind: StoreKind
  ) throws {
    // Apple's date is minute 95, and it was told at minute 101.
    let rows: [(begun: Int64, spentAt: Int64?, lateness: SpendRecord.Lateness?)] = [
      (90, 90, nil), (90, 96, .unseen), (90, 101, .ignored), (90, nil, .ignored), (96, 0, .unseen),
    ]
    for row in rows {
      let store = try Self.bought(kind)
      _ = try store.authorize(Self.request(), "a1", row.begun)
      try Self.refund(store)
      let outcome = try store.settle("a1", Self.dollars(500), 102, spentAt: row.spentAt)
      guard case .done(_, let record?) = outcome else {
        Issue.record("not settled")
        continue
      }
      #expect(record.lateness == row.lateness, "\(row)")
      #expect(record.spentAt == Signed.at(max(row.spentAt ?? 102, row.begun)))
      #expect(record.recordedAt == Signed.at(102))
      #expect(
        try store.settle("a1", Self.dollars(500), 105, spentAt: row.spentAt) == outcome)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund of an old period leaves the gate open for the running one`(kind: StoreKind) throws
  {
    let store = try Self.bought(kind)
    let may = try #require(try store.authorize(Self.request(), "may", 2).decided)
    #expect(may.transactionId == "1")
    let month: Int64 = 30 * 1_440
    try store.record(
      Signed.delivery(
        Signed.transaction("2", original: "1", token: "anna", signed: month, bought: month)))
    let old = Signed.transaction("1", token: "anna", signed: month + 60, revoked: month + 50)
    try store.record(Signed.notification(.refund, "r", old, signed: month + 60))
    let june = try #require(try store.authorize(Self.request(), "june", month + 70).decided)
    #expect(june.isAllowed)
    #expect(june.transactionId == "2")
  }

  @Test(arguments: StoreKind.allCases)
  func `a question whose hold has lapsed or was released is not allowed again as a repeat`(
    kind: StoreKind
  ) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.request(key: "l"), "a1", 2)
    _ = try store.authorize(Self.request(key: "r"), "a2", 2)
    _ = try store.release("a2")
    _ = try store.process(at: 12)
    for key in ["l", "r"] {
      guard case .repeated(let late) = try store.authorize(Self.request(key: key), "x", 13) else {
        Issue.record("not a repeat")
        continue
      }
      #expect(!late.isAllowed)
    }
    #expect(try store.reader.events(after: 0, limit: 50).contains { $0.type == "holdLapsed" })
  }

  @Test(arguments: StoreKind.allCases)
  func `a hold lapses by itself and is settled as plain cost`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.request(), "a1", 2)
    #expect(try store.reader.nextDeadline() == Signed.at(12))
    #expect(try store.process(at: 12).processed == 1)
    guard case .done(_, let record?) = try store.settle("a1", Self.dollars(500), 20) else {
      Issue.record("not settled")
      return
    }
    #expect(record.lateness == nil)
  }
}

extension AuthorizationOutcome {
  var decided: SpendAuthorization? {
    guard case .decided(let authorization) = self else { return nil }
    return authorization
  }
}

extension Cost {
  static func milliunits(_ amount: Int64, _ currency: String = "USD") -> Cost {
    guard let cost = Cost(Money(milliunits: amount, currency: Currency(code: currency))) else {
      preconditionFailure("A test states costs in range.")
    }
    return cost
  }
}

extension TestStore {
  func authorize(
    _ request: SpendRequest, _ id: String, _ minute: Int64
  ) throws -> AuthorizationOutcome {
    try ledger.wait { ledger.authorize(request, id: id, now: Signed.at(minute), completion: $0) }
  }

  func settle(
    _ id: String, _ cost: Cost, _ minute: Int64, visible: Bool = true, spentAt: Int64? = nil
  ) throws -> SettlementOutcome {
    try ledger.wait {
      ledger.settle(
        id, SpendUse(cost: cost, spentAt: spentAt.map { Signed.at($0) }), within: { _ in visible },
        now: Signed.at(minute), completion: $0)
    }
  }

  func release(_ id: String, visible: Bool = true) throws -> SettlementOutcome {
    try ledger.wait {
      ledger.release(id, within: { _ in visible }, now: Signed.at(0), completion: $0)
    }
  }

  func process(at minute: Int64) throws -> DeadlineReport {
    try ledger.wait { ledger.processDueDeadlines(now: Signed.at(minute), completion: $0) }
  }
}
