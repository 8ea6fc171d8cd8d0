import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// What the spend gate says when the same question comes again, on every store.
struct RepeatedQuestionTests {
  private static let anna = Signed.customer("anna")

  private static let rules = LedgerRules(
    catalogs: [
      "com.example.app": Catalog([
        CatalogEntry(
          productId: "coins", entitlements: [], creditsPerUnit: 50, creditUnit: "coins"),
        CatalogEntry(productId: "pro.monthly", entitlements: ["pro"]),
        CatalogEntry(productId: "pro.yearly", entitlements: ["pro"]),
      ])
    ], policies: [:], source: [])

  /// What a question asks for.
  enum Purpose: CaseIterable {
    case right, credits, both

    var entitlement: String? { self == .credits ? nil : "pro" }
    var credits: Credits? { self == .right ? nil : Credits(unit: "coins", amount: 10) }
  }

  private static func ask(_ purpose: Purpose, key: String = "k") -> SpendRequest {
    SpendRequest(
      customer: anna,
      purpose: SpendPurpose(
        entitlement: purpose.entitlement, credits: purpose.credits, cost: .milliunits(5)),
      holdLength: .minutes(10),
      idempotency: .init(
        caller: "backend", key: key, requestSHA256: Fingerprint(of: Array(key.utf8)).bytes))
  }

  private static func pro(
    _ id: String, _ product: String = "pro.monthly", signed: Int64 = 0, revoked: Int64? = nil,
    days: Int64 = 30
  ) -> JWSTransactionDecodedPayload {
    Signed.transaction(id, token: "anna", signed: signed, days: days, revoked: revoked) {
      $0.productId = product
    }
  }

  private static func coins(signed: Int64 = 0, revoked: Int64? = nil)
    -> JWSTransactionDecodedPayload
  {
    Signed.transaction(
      "c", token: "anna", signed: signed, type: .consumable, revoked: revoked
    ) { $0.productId = "coins" }
  }

  private static func bought(_ kind: StoreKind) throws -> TestStore {
    let store = try kind.open(rules: rules)
    try store.record(Signed.delivery(pro("s")), Signed.delivery(coins()))
    return store
  }

  private static func refund(
    _ store: TestStore, _ copy: JWSTransactionDecodedPayload, at minute: Int64
  ) throws {
    try store.record(Signed.notification(.refund, "r\(minute)", copy, signed: minute))
  }

  private static func again(
    _ store: TestStore, _ purpose: Purpose, _ minute: Int64
  ) throws -> SpendAuthorization {
    guard case .repeated(let again) = try store.authorize(ask(purpose), "x", minute) else {
      Issue.record("not a repeat")
      throw StoreError.inconsistent(detail: "not a repeat")
    }
    #expect(try store.shown(again.id, minute).isAllowed == again.isAllowed)
    #expect(try store.shown(again.id, minute).presentReason == again.presentReason)
    return again
  }

  /// What is asked for, and what of it is refunded.
  static let refunds: [(Purpose, refunded: String)] = [
    (.right, "s"), (.credits, "c"), (.both, "s"), (.both, "c"),
  ]

  @Test(arguments: StoreKind.allCases, refunds)
  func `a settled question is denied again once anything that it rested on is refunded`(
    kind: StoreKind, row: (Purpose, refunded: String)
  ) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.ask(row.0), "a", 2)
    _ = try store.settle("a", .milliunits(5), 3)
    #expect(try Self.again(store, row.0, 4).isAllowed)
    let refunded =
      row.refunded == "s" ? Self.pro("s", signed: 9, revoked: 8) : Self.coins(signed: 9, revoked: 8)
    try Self.refund(store, refunded, at: 9)
    let denied = try Self.again(store, row.0, 9)
    #expect(!denied.isAllowed)
    #expect(denied.presentReason == "refunded")
    #expect(denied.state == .settled)
    let back = row.refunded == "s" ? Self.pro("s", signed: 12) : Self.coins(signed: 12)
    try store.record(Signed.notification(.refundReversed, "v", back, signed: 12))
    #expect(try Self.again(store, row.0, 12).isAllowed)
  }

  @Test(arguments: StoreKind.allCases, [Purpose.right, .both])
  func `another purchase that gives the same right does not save what rested on the refunded one`(
    kind: StoreKind, purpose: Purpose
  ) throws {
    let store = try Self.bought(kind)
    try store.record(Signed.delivery(Self.pro("t", "pro.yearly", days: 365)))
    let open = try #require(try store.authorize(Self.ask(purpose), "a", 2).decided)
    #expect(open.isAllowed)
    _ = try store.authorize(Self.ask(purpose, key: "other"), "b", 2)
    _ = try store.settle("b", .milliunits(5), 3)
    try Self.refund(store, Self.pro("t", "pro.yearly", signed: 9, revoked: 8, days: 365), at: 9)
    let denied = try Self.again(store, purpose, 9)
    #expect(!denied.isAllowed)
    #expect(denied.state == .revoked)
    #expect(denied.presentReason == "holdRevoked")
    #expect(try store.shown("b", 9).presentReason == "refunded")
    #expect(
      try #require(try store.authorize(Self.ask(purpose, key: "n"), "c", 9).decided).isAllowed)
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a question that rested on a grant is denied again once the grant is taken back`(
    kind: StoreKind, isSettled: Bool
  ) throws {
    let store = try kind.open(rules: Self.rules)
    try store.give("g")
    _ = try store.authorize(Self.ask(.right), "a", 2)
    if isSettled { _ = try store.settle("a", .milliunits(5), 3) }
    #expect(try Self.again(store, .right, 4).isAllowed)
    // Another grant gives the right, and the first one is taken back all the same.
    try store.give("h")
    try store.takeBack("g", at: 5)
    let denied = try Self.again(store, .right, 5)
    #expect(!denied.isAllowed)
    #expect(denied.presentReason == (isSettled ? "manualGrantEnded" : "holdRevoked"))
  }

  @Test(arguments: StoreKind.allCases)
  func `what is another customer's now is not allowed again`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.ask(.right), "a", 2)
    _ = try store.settle("a", .milliunits(5), 3)
    _ = try store.ledger.wait {
      store.ledger.transfer(
        "s", to: Signed.customer("ben"), note: "sold", now: Signed.at(4), completion: $0)
    }
    #expect(try Self.again(store, .right, 5).presentReason == "holdRevoked")
  }

  @Test(arguments: StoreKind.allCases)
  func `what merely expired was paid for, and is allowed again`(kind: StoreKind) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.ask(.right), "a", 2)
    _ = try store.settle("a", .milliunits(5), 3)
    #expect(try Self.again(store, .right, 40 * 1_440).isAllowed)
  }

  @Test(arguments: StoreKind.allCases, Purpose.allCases)
  func `a hold is over at the end of its time, whoever has noticed it`(
    kind: StoreKind, purpose: Purpose
  ) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.ask(purpose), "a", 2)
    #expect(try Self.again(store, purpose, 11).isAllowed)
    #expect(try store.shown("a", 12).state == .lapsed)
    let denied = try Self.again(store, purpose, 12)
    #expect(!denied.isAllowed)
    #expect(denied.presentReason == "holdLapsed")
    #expect(
      try store.reader.events(after: 0, limit: 50).filter { $0.type == "holdLapsed" }.count == 1)
    // What is settled after its time was not held when it was spent.
    _ = try store.settle("a", .milliunits(5), 13)
    #expect(try Self.again(store, purpose, 14).presentReason == "holdLapsed")
  }

  @Test(arguments: StoreKind.allCases)
  func `a reason belongs to the answer that it stands beside, however a hold ended`(
    kind: StoreKind
  ) throws {
    let store = try Self.bought(kind)
    for id in ["settled", "released", "lapsed", "revoked"] {
      _ = try store.authorize(Self.ask(.right, key: id), id, id == "lapsed" ? -5 : 2)
    }
    _ = try store.settle("settled", .milliunits(5), 3)
    _ = try store.release("released")
    _ = try store.process(at: 6)
    #expect(try store.shown("settled", 6).presentReason == "activePeriod")
    try Self.refund(store, Self.pro("s", signed: 9, revoked: 8), at: 9)
    let reasons = try ["settled", "released", "lapsed", "revoked"].map {
      try store.shown($0, 9).presentReason
    }
    #expect(reasons == ["refunded", "holdReleased", "holdLapsed", "holdRevoked"])
    let told = try store.reader.events(after: 0, limit: 50).filter { $0.type.hasPrefix("hold") }
    #expect(told.count == 2)
    #expect(told.allSatisfy { $0.payload.contains(#""decision":"deny","reason":"\#($0.type)""#) })
  }

  @Test(arguments: StoreKind.allCases)
  func `a revocation that only a status tells ends what rested on the subscription`(
    kind: StoreKind
  ) throws {
    let store = try Self.bought(kind)
    _ = try store.authorize(Self.ask(.both), "a", 2)
    _ = try store.authorize(Self.ask(.both, key: "open"), "b", 4)
    _ = try store.settle("a", .milliunits(5), 3)
    try store.record(
      Signed.notification(
        .didChangeRenewalStatus, "n", Self.pro("s", signed: 9), status: .revoked, signed: 9))
    #expect(try Self.again(store, .both, 9).presentReason == "revokedByStatus")
    #expect(try store.shown("b", 9).state == .revoked)
  }
}

extension TestStore {
  fileprivate func shown(_ id: String, _ minute: Int64) throws -> SpendAuthorization {
    let found = try reader.read { (recorder) throws(StoreError) in
      try recorder.authorizationWithRecord(id, now: Signed.at(minute))?.0
    }
    return try #require(found)
  }

  fileprivate func give(_ id: String) throws {
    let grant = ManualGrant(
      id: id, customer: Signed.customer("anna").id, entitlement: "pro", from: Signed.at(0),
      until: nil)
    _ = try ledger.wait {
      ledger.grant(grant, in: Signed.scope, GrantStatement(at: Signed.at(1)), completion: $0)
    }
  }

  fileprivate func takeBack(_ id: String, at minute: Int64) throws {
    let done = try ledger.wait {
      ledger.revokeGrant(
        id, of: Signed.customer("anna"), GrantStatement(at: Signed.at(minute)), completion: $0)
    }
    #expect(done)
  }
}
