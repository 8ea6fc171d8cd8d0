import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// What is a repeat and what is news, on every store.
struct RepeatTests {
  private static let rules = LedgerRules(
    catalogs: [
      "com.example.app": Catalog([
        CatalogEntry(productId: "pro.monthly", entitlements: ["pro"], length: .days(90))
      ])
    ], policies: [:], source: [2])
  private static let anna = Signed.customer("anna")

  private static func reason(_ store: TestStore, _ minute: Int64) throws -> DecisionReason {
    try store.reader.answer(of: anna, now: Signed.at(minute)).decision(on: "pro").reason
  }

  @Test(
    arguments: StoreKind.allCases,
    [ProductType.autoRenewableSubscription, .nonConsumable, .nonRenewingSubscription])
  func `the copy of a known transaction that shows its refund is news by every channel`(
    kind: StoreKind, type: ProductType
  ) throws {
    for channel in [Channel.device, .poll, .history, .import] {
      let store = try kind.open(rules: Self.rules)
      let bought = Signed.transaction("1", token: "anna", type: type)
      let refunded = Signed.transaction("1", token: "anna", signed: 60, type: type, revoked: 50)
      try store.record(Signed.delivery(bought, channel))
      #expect(try store.reader.events(after: 0, limit: 9).map(\.type) == ["granted"])
      let receipt = try store.record(Signed.delivery(refunded, channel))[0]
      #expect(receipt.outcome == .stored)
      #expect(try Self.reason(store, 61) == .refunded)
      let types = try store.reader.events(after: 1, limit: 9).map(\.type)
      #expect(types == ["revoked", "refunded"])
      #expect(try store.postedSums() == ["1 1 USD 9990"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `three requests about one purchase are three facts, a retry is none`(kind: StoreKind) throws
  {
    let store = try kind.open(rules: Self.rules)
    let coins = Signed.transaction("c", token: "anna", type: .consumable)
    func request(_ uuid: String, _ hours: Int64, copy: Int64? = nil) throws -> Delivery {
      var copied = coins
      copied.signedDate = Signed.at((copy ?? hours) * 60)
      return try Signed.notification(.consumptionRequest, uuid, copied, signed: hours * 60)
    }
    try store.record(Signed.notification(.oneTimeCharge, "u", coins, signed: 0))
    for (uuid, hours) in [("r1", 8), ("r2", 16), ("r3", 24)] as [(String, Int64)] {
      #expect(try store.record(request(uuid, hours))[0].outcome == .stored)
      #expect(try store.record(request(uuid, hours))[0].outcome == .repeated)
    }
    // Signed anew under a known UUID: other bytes are a fact of their own, without a new effect.
    let receipt = try store.record(request("r3", 30, copy: 24))[0]
    #expect(receipt.outcome == .stored)
    #expect(receipt.events == [])
    #expect(try store.postedSums() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a purchase told again after its refund gives nothing back`(kind: StoreKind) throws {
    let store = try kind.open(rules: Self.rules)
    let bought = try Signed.notification(
      .subscribed, "u1", Signed.transaction("1", token: "anna"), status: .active, signed: 0)
    let refunded = Signed.transaction("1", token: "anna", signed: 100, revoked: 90)
    try store.record(bought)
    try store.record(Signed.notification(.refund, "u2", refunded, status: .revoked, signed: 100))
    let before = try store.reader.lastEventPosition()
    #expect(try store.record(bought)[0].outcome == .repeated)
    let resigned = Signed.transaction("1", token: "anna", signed: 4_320)
    let later: [Delivery] = [
      try Signed.notification(.subscribed, "u1", resigned, status: .active, signed: 4_320),
      try Signed.delivery(resigned, .device),
      try Signed.notification(
        .subscribed, "u1", Signed.transaction("1", token: "anna"), status: .active, signed: 0,
        channel: .history),
    ]
    for delivery in later {
      #expect(try store.record(delivery)[0].outcome == .stored)
      #expect(try Self.reason(store, 4_321) == .refunded)
    }
    #expect(try store.reader.lastEventPosition() == before)
  }

  @Test(arguments: StoreKind.allCases)
  func `a purchase told by Apple and shown by the device is one, in either order`(
    kind: StoreKind
  ) throws {
    let copy = Signed.transaction("8", token: "anna", type: .nonConsumable)
    let both = [
      try Signed.notification(.oneTimeCharge, "u", copy, signed: 1),
      try Signed.delivery(copy, .device),
    ]
    var digests: Set<String> = []
    for order in [both, both.reversed()] {
      let store = try kind.open(rules: Self.rules)
      for delivery in order { try store.record(delivery) }
      #expect(try store.reader.chain(Signed.key("8"))?.transactions.count == 1)
      #expect(try store.reader.events(after: 0, limit: 9).map(\.type) == ["granted"])
      #expect(try Self.reason(store, 5) == .owned)
      digests.insert(try store.reader.digest())
    }
    #expect(digests.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `what came before it could be understood acts once it can`(kind: StoreKind) throws {
    let store = try kind.open(rules: Self.rules)
    let understood = try Signed.delivery(Signed.transaction("1", token: "anna"))
    let before = Delivery(
      effect: .opaque(nil, reason: "a shape of tomorrow"), body: understood.body,
      channel: .device, receivedAt: Signed.at(1))
    #expect(try store.record(before)[0].outcome == .opaque)
    #expect(try store.record(before)[0].outcome == .repeated)
    #expect(try Self.reason(store, 2) == .noFacts)
    #expect(try store.record(understood)[0].outcome == .stored)
    #expect(try Self.reason(store, 2) == .activePeriod)
    #expect(try store.count("facts") == 1)
  }
}
