import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// What the books and the events say of refunds, on every store.
struct RefundRecordTests {
  private static let anna = Signed.customer("anna")

  private static func told(_ store: TestStore, after position: Int64 = 0) throws -> [String] {
    try store.reader.events(after: position, limit: 99).map(\.type)
  }

  @Test(
    arguments: StoreKind.allCases,
    [ProductType.nonConsumable, .consumable, .autoRenewableSubscription])
  func `a reversal deletes nothing and counts the refund back`(
    kind: StoreKind, type: ProductType
  ) throws {
    let store = try kind.open()
    let day: Int64 = 1_440
    let bought = Signed.transaction("1", token: "anna", type: type)
    let refunded = Signed.transaction(
      "1", token: "anna", signed: day, type: type, revoked: day)
    let restored = Signed.transaction("1", token: "anna", signed: 20 * day, type: type)
    try store.record(
      Signed.notification(.oneTimeCharge, "u1", bought, signed: 0),
      Signed.notification(.refund, "u2", refunded, signed: day))
    #expect(try store.postedSums() == ["1 1 USD 9990"])
    try store.record(Signed.notification(.refundReversed, "u3", restored, signed: 20 * day))
    #expect(try store.postedSums() == [])
    #expect(try store.count("postings") == 2)
    #expect(try store.count("facts") == 6)  // three notifications and what each holds
    let chain = try #require(try store.reader.chain(Signed.key("1")))
    #expect(chain.revocations.count == 1)
    #expect(chain.refundEntries().map(\.stands) == [false])
    let money = try Self.told(store).filter { $0.hasPrefix("refund") }
    #expect(money == ["refunded", "refundReversed"])
    let verdict = try store.reader.answer(of: Self.anna, now: Signed.at(20 * day + 1))
      .decision(on: "pro.monthly").verdict
    #expect(verdict == (type == .consumable ? .unknown : .granted))
    let timeline = try store.reader.timeline(of: Self.anna, limit: 99)
    let sightings = timeline.filter { if case .sighting = $0.content { true } else { false } }
    #expect(sightings.count == 3)
  }

  @Test(
    arguments: StoreKind.allCases,
    [
      (.familyShared, .familyRevoke), (.familyShared, nil), (.assigned, .assignmentRevoke),
      (.assigned, nil), (.unknown("LENT"), .familyRevoke),
    ] as [(InAppOwnershipType, RevocationType?)])
  func `a share that ends is told as access and never as money`(
    kind: StoreKind, row: (owner: InAppOwnershipType, type: RevocationType?)
  ) throws {
    let store = try kind.open()
    func share(_ signed: Int64, revoked: Int64? = nil) -> JWSTransactionDecodedPayload {
      Signed.transaction("1", token: "anna", signed: signed, revoked: revoked) {
        $0.inAppOwnershipType = row.owner
        if revoked != nil { $0.revocationType = row.type }
      }
    }
    try store.record(
      Signed.notification(.subscribed, "u1", share(0), signed: 0),
      Signed.notification(.revoke, "u2", share(60, revoked: 50), signed: 60))
    #expect(try Self.told(store) == ["granted", "revoked"])
    #expect(try store.count("postings") == 0)
    let listed = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.refunds(in: Signed.scope, afterChain: 0, limit: 9)
    }
    #expect(listed.refunds.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `one refund with a family around it is one money event and five of access`(
    kind: StoreKind
  ) throws {
    let store = try kind.open()
    let names = ["payer", "m1", "m2", "m3", "m4"]
    for name in names {
      let isPayer = name == "payer"
      func copy(_ signed: Int64, revoked: Int64? = nil) -> JWSTransactionDecodedPayload {
        Signed.transaction(name, token: name, signed: signed, revoked: revoked) {
          if !isPayer { $0.inAppOwnershipType = .familyShared }
          if revoked != nil { $0.revocationType = isPayer ? .refundFull : .familyRevoke }
        }
      }
      try store.record(Signed.notification(.subscribed, "s\(name)", copy(0), signed: 0))
      try store.record(
        Signed.notification(
          isPayer ? .refund : .revoke, "r\(name)", copy(60, revoked: 60), signed: 60))
    }
    let types = try Self.told(store)
    #expect(types.filter { $0 == "revoked" }.count == 5)
    #expect(types.filter { $0 == "refunded" }.count == 1)
    #expect(try store.postedSums() == ["payer payer USD 9990"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund of an earlier period is told although access stays`(kind: StoreKind) throws {
    let store = try kind.open()
    let month: Int64 = 43_200
    let first = Signed.transaction("1", token: "anna")
    let second = Signed.transaction(
      "2", original: "1", token: "anna", signed: month, bought: month)
    let refunded = Signed.transaction(
      "1", token: "anna", signed: month + 60, revoked: month + 60)
    try store.record(
      Signed.notification(.subscribed, "u1", first, signed: 0),
      Signed.notification(.didRenew, "u2", second, status: .active, signed: month))
    let before = try store.reader.answer(of: Self.anna, now: Signed.at(month + 61))
    let position = try store.reader.lastEventPosition()
    try store.record(
      Signed.notification(.refund, "u3", refunded, status: .active, signed: month + 60))
    let news = try store.reader.events(after: position, limit: 9)
    #expect(news.map(\.type) == ["refunded"])
    #expect(news.first?.payload.hasPrefix("{\"changesAccess\":false") == true)
    #expect(try store.postedSums() == ["1 1 USD 9990"])
    let after = try store.reader.answer(of: Self.anna, now: Signed.at(month + 61))
    #expect(after.decisions == before.decisions)
  }

  @Test(arguments: StoreKind.allCases)
  func `each currency is booked in its own whole numbers`(kind: StoreKind) throws {
    let store = try kind.open()
    let rows: [(id: String, price: Int64, currency: String, share: Int32?)] = [
      ("a", 9_990, "USD", nil), ("b", 1_500_000, "JPY", nil), ("c", 1_250, "KWD", nil),
      ("d", 59_990, "USD", 41_500),
    ]
    for row in rows {
      let copy = Signed.transaction(row.id, signed: 60, type: .nonConsumable, revoked: 60) {
        $0.price = row.price
        $0.currency = row.currency
        $0.revocationPercentage = row.share
      }
      try store.record(Signed.notification(.refund, "u\(row.id)", copy, signed: 60))
    }
    #expect(
      try store.postedSums() == [
        "a a USD 9990", "b b JPY 1500000", "c c KWD 1250", "d d USD 24896",
      ])
  }
}
