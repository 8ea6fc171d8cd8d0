import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Testing

/// What the ledger promises about deliveries, on every store.
struct RecordingTests {
  @Test(arguments: StoreKind.allCases)
  func `a purchase grants, a refund denies, a reversal grants again`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1", token: "anna")
    let refunded = Signed.transaction("1", token: "anna", signed: 100, revoked: 90)
    let restored = Signed.transaction("1", token: "anna", signed: 200)
    let deliveries = [
      try Signed.notification(.subscribed, "u1", bought, signed: 0),
      try Signed.notification(.refund, "u2", refunded, signed: 100),
      try Signed.notification(.refundReversed, "u3", restored, signed: 200),
    ]
    var seen: [String] = []
    for delivery in deliveries {
      try store.record(delivery)
      let state = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(201))
      seen.append("\(state.version) \(state.decision(on: "pro.monthly").reason.rawValue)")
    }
    #expect(seen == ["1 activePeriod", "2 refunded", "3 activePeriod"])
    let types = try store.reader.events(after: 0, limit: 10).map(\.type)
    #expect(types == ["granted", "revoked", "refunded", "restored", "refundReversed"])
  }

  @Test(arguments: StoreKind.allCases)
  func `the same delivery again changes nothing`(kind: StoreKind) throws {
    let store = try kind.open()
    let delivery = try Signed.notification(
      .subscribed, "u1", Signed.transaction("1", token: "anna"), signed: 0)
    #expect(try store.record(delivery)[0].outcome == .stored)
    let before = try store.fingerprint()
    #expect(try store.record(delivery)[0].outcome == .repeated)
    #expect(try store.fingerprint() == before)
  }

  @Test(arguments: StoreKind.allCases)
  func `the same bytes by another channel are sighted and joined`(kind: StoreKind) throws {
    let store = try kind.open()
    let refunded = Signed.transaction("1", token: "anna", signed: 5, revoked: 4)
    let clean = Signed.transaction("1", token: "anna", signed: 60)
    try store.record(Signed.delivery(refunded), Signed.delivery(clean))
    let anna = Signed.customer("anna")
    #expect(
      try store.reader.answer(of: anna, now: Signed.at(61)).decision(on: "pro.monthly").reason
        == .refunded)
    #expect(try store.record(Signed.delivery(clean, .poll))[0].outcome == .stored)
    #expect(
      try store.reader.answer(of: anna, now: Signed.at(61)).decision(on: "pro.monthly").reason
        == .activePeriod)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund of a known purchase is not taken for a repeat of it`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("5", token: "anna", type: .nonConsumable)
    let refunded = Signed.transaction(
      "5", token: "anna", signed: 9, type: .nonConsumable, revoked: 8)
    try store.record(Signed.notification(.oneTimeCharge, "u1", bought, signed: 0))
    let receipt = try store.record(Signed.notification(.refund, "u2", refunded, signed: 9))[0]
    #expect(receipt.outcome == .stored)
    #expect(receipt.customer == Signed.customer("anna"))
    let reason = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(10))
    #expect(reason.decision(on: "pro.monthly").reason == .refunded)
  }

  @Test(arguments: StoreKind.allCases)
  func `an old fact that comes late does not change the present`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(
      Signed.delivery(Signed.transaction("1", token: "anna", signed: 10, revoked: 9)))
    let receipt = try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))[0]
    #expect(receipt.outcome == .stored)
    #expect(receipt.events == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a held fact is kept without effect until it may act`(kind: StoreKind) throws {
    let store = try kind.open()
    let applied = try Signed.delivery(Signed.transaction("1", token: "anna"))
    guard case .applied(let fact) = applied.effect else { return }
    let held = Delivery(
      effect: .held(fact, reason: "too old"), body: applied.body, channel: .device,
      receivedAt: applied.receivedAt)
    #expect(try store.record(held)[0].outcome == .held)
    #expect(try store.record(held)[0].outcome == .repeated)
    #expect(try store.reader.chain(Signed.key("1"))?.transactions.isEmpty == true)
    #expect(try store.reader.digest() == kind.open().reader.digest())
    #expect(try store.reader.counts().events == 0)
    let anna = CustomerKey(scope: Signed.scope, id: try #require(CustomerID("anna")))
    let shown = try store.reader.timeline(of: anna, limit: 10)
    #expect(shown.map(\.sightingEffect) == [.held])
    #expect(try store.record(applied)[0].outcome == .stored)
    #expect(try store.reader.owner(of: Signed.key("1")) == CustomerID("anna"))
    let acted = try store.reader.timeline(of: anna, limit: 10)
    #expect(acted.compactMap(\.sightingEffect) == [.applied])
  }

  @Test(arguments: StoreKind.allCases)
  func `what is not understood is kept and acknowledged`(kind: StoreKind) throws {
    let store = try kind.open()
    let record = Signed.record(.notification, Array(#"{"strange":true}"#.utf8))
    let delivery = Delivery(
      effect: .opaque(Signed.scope, reason: "has no notificationUUID"), body: .signed(record),
      channel: .notification, receivedAt: Signed.at(0))
    let receipt = try store.record(delivery)[0]
    #expect(receipt.outcome == .opaque)
    #expect(try store.reader.signedRecord(receipt.factID)?.compactForm() == record.compactForm())
    #expect(try store.record(delivery)[0].outcome == .repeated)
  }

  @Test(arguments: StoreKind.allCases)
  func `a status that nobody signed is kept beside what was signed`(kind: StoreKind) throws {
    let store = try kind.open()
    let transaction = Signed.transaction("1", token: "anna")
    let renewal = Signed.renewal("1", signed: 1)
    let status = try ReportedStatus(
      .revoked, transaction: Signed.proved(transaction), renewal: Signed.proved(renewal),
      channel: .poll)
    let delivery = Delivery(
      effect: .applied(.status(status)),
      body: .reportedStatus(
        .revoked, transaction: Signed.record(.transaction, transaction.json()),
        renewal: Signed.record(.renewalInfo, renewal.json())), channel: .poll,
      receivedAt: Signed.at(2))
    #expect(try store.record(delivery)[0].outcome == .stored)
    #expect(try store.record(delivery)[0].outcome == .repeated)
    let anna = Signed.customer("anna")
    let now = try store.reader.answer(of: anna, now: Signed.at(3))
    #expect(now.decision(on: "pro.monthly").reason == .revokedByStatus)
    let then = try store.reader.answer(of: anna, at: Signed.at(3))
    #expect(then.decisions == now.decisions)
  }

  @Test(arguments: StoreKind.allCases)
  func `a fact of another realm is refused and leaves nothing`(kind: StoreKind) throws {
    let store = try kind.open()
    let foreign = Verified(
      proved: Signed.transaction("1"), realm: .test(fingerprint: String(repeating: "a", count: 64)),
      judgedAt: Signed.at(0))
    let delivery = Delivery(
      effect: .applied(try .from(foreign, channel: .device)),
      body: .signed(Signed.record(.transaction, foreign.payload.json())), channel: .device,
      receivedAt: Signed.at(0))
    #expect(throws: StoreError.inconsistent(detail: "a fact of another realm")) {
      try store.record(delivery)
    }
    #expect(try store.reader.counts().facts == 0)
  }

  @Test(arguments: StoreKind.allCases, 0..<6 as Range<UInt64>)
  func `any order and any repetition give the same digest`(kind: StoreKind, seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let deliveries = try RandomDeliveries.make(&dice)
    let first = try kind.open()
    for delivery in deliveries { try first.record(delivery) }
    let second = try kind.open()
    let twice = (deliveries + deliveries).shuffled(using: &dice)
    for delivery in twice { try second.record(delivery) }
    #expect(try first.reader.digest() == second.reader.digest(), "seed \(seed)")
    for name in RandomDeliveries.customers {
      let now = Signed.at(100_000)
      let one = try first.reader.answer(of: Signed.customer(name), now: now).decisions
      #expect(try second.reader.answer(of: Signed.customer(name), now: now).decisions == one)
      let then = try first.reader.answer(of: Signed.customer(name), at: now).decisions
      #expect(then == one, "seed \(seed): folding the stored facts")
    }
    #expect(try first.postedSums() == second.postedSums())
  }

  @Test(arguments: StoreKind.allCases)
  func `events stand in order, each with the version it tells of`(kind: StoreKind) throws {
    let store = try kind.open()
    for minute in 0..<4 as Range<Int64> {
      let revoked = minute % 2 == 1 ? minute : nil
      try store.record(
        Signed.delivery(
          Signed.transaction("1", token: "anna", signed: minute * 60, revoked: revoked), .poll))
    }
    let events = try store.reader.events(after: 0, limit: 100)
    #expect(events.map(\.position) == (1...Int64(events.count)).map { $0 })
    #expect(events.map(\.version) == events.map(\.version).sorted())
    #expect(events.allSatisfy { $0.payload.hasPrefix("{\"changesAccess\":") })
    let last = try #require(events.last)
    #expect(try store.reader.lastEventPosition() == last.position)
    #expect(try store.reader.events(after: last.position - 1, limit: 9) == [last])
    let state = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(1_000))
    #expect(state.version >= last.version)
  }
}

extension TimelineEntry {
  fileprivate var sightingEffect: FactTable.Effect? {
    if case .sighting(let sighting) = content { sighting.effect } else { nil }
  }
}
