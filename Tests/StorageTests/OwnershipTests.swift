import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Whose a purchase is, on every store.
struct OwnershipTests {
  private static func account(_ id: String, _ account: String) throws -> Delivery {
    try Signed.delivery(Signed.transaction(id) { $0.appTransactionId = account })
  }

  @Test(arguments: StoreKind.allCases)
  func `a link moves access and binds the Apple Account`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Self.account("1", "acc"), Self.account("2", "acc"))
    #expect(try store.reader.owner(of: Signed.key("1"))?.text == "atx:acc")
    #expect(try store.link("1", "anna") == .done(changed: true))
    #expect(try store.link("1", "anna") == .done(changed: false))
    #expect(try store.reader.owner(of: Signed.key("1"))?.text == "anna")
    #expect(try store.reader.owner(of: Signed.key("2"))?.text == "anna")
    try store.record(Self.account("3", "acc"))
    #expect(try store.reader.owner(of: Signed.key("3"))?.text == "anna")
    #expect(try store.link("1", "ben") == .refused(.linkedElsewhere))
    #expect(try store.link("2", "ben") == .refused(.boundElsewhere))
    #expect(try store.link("9", "ben") == .unknownPurchase)
  }

  @Test(arguments: StoreKind.allCases)
  func `ending a link gives the purchases back to their account`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Self.account("1", "acc"), Self.account("2", "acc"))
    _ = try store.link("1", "anna")
    #expect(try store.unlink("1", "ben") == .notLinked)
    #expect(try store.unlink("9", "anna") == .unknownPurchase)
    #expect(try store.unlink("1", "anna") == .done(changed: true))
    #expect(try store.reader.owner(of: Signed.key("2"))?.text == "atx:acc")
    let anna = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(9))
    #expect(anna.decisions == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a transfer beats the token, and both customers are told`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    #expect(try store.link("1", "ben") == .refused(.tokenNamesAnother))
    #expect(try store.transfer("1", "ben") == .done(changed: true))
    #expect(try store.transfer("1", "ben") == .done(changed: false))
    #expect(try store.transfer("7", "ben") == .unknownPurchase)
    let events = try store.reader.events(after: 1, limit: 9)
    #expect(
      Set(events.map { "\($0.customer?.text ?? "") \($0.type)" })
        == ["anna uncertain", "ben granted"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a chain follows the owner of the one that it continues`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(
      Signed.delivery(Signed.transaction("2") { $0.previousOriginalTransactionId = "1" }))
    #expect(try store.reader.owner(of: Signed.key("2")) == nil)
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    #expect(try store.reader.owner(of: Signed.key("2"))?.text == "anna")
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund that nobody owns is told and booked`(kind: StoreKind) throws {
    let store = try kind.open()
    let refunded = Signed.transaction("1", signed: 5, revoked: 4)
    try store.record(Signed.notification(.refund, "u1", refunded, signed: 5))
    let events = try store.reader.events(after: 0, limit: 9)
    #expect(events.map(\.type) == ["refunded"])
    #expect(events.first?.customer == nil)
    #expect(try store.postedSums() == ["1 1 USD 9990"])
    let listed = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.refunds(in: Signed.scope, afterChain: 0, limit: 1)
    }
    #expect(listed.refunds.map(\.refund.netRefund?.milliunits) == [9_990])
    #expect(listed.refunds.map(\.customer) == [nil])
    #expect(listed.next == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `a manual grant gives access until it is taken back`(kind: StoreKind) throws {
    let store = try kind.open()
    let anna = Signed.customer("anna")
    let grant = ManualGrant(
      id: "g", customer: anna.id, entitlement: "gold", from: Signed.at(0), until: nil)
    func add(_ reason: String, to scope: Scope = Signed.scope) throws -> GrantOutcome {
      try store.ledger.wait {
        store.ledger.grant(
          grant, in: scope, GrantStatement(by: "desk", reason: reason, at: Signed.at(1)),
          completion: $0)
      }
    }
    let end: () throws -> Bool = {
      try store.ledger.wait {
        store.ledger.revokeGrant(
          "g", of: anna, GrantStatement(by: "boss", reason: "an error", at: Signed.at(5)),
          completion: $0)
      }
    }
    let given = StatedGrant(
      grant: grant, statedAt: Signed.at(1), grantedBy: "desk", reason: "sorry", revokedBy: nil,
      revocationReason: nil)
    #expect(try add("sorry") == .granted(given))
    #expect(try add("sorry") == .repeated(given))
    #expect(try add("another reason") == .conflict)
    let production = Scope(
      realm: .apple, bundleId: Signed.scope.bundleId, environment: .production)
    #expect(try add("sorry", to: production) == .conflict)
    #expect(
      try store.reader.answer(of: anna, now: Signed.at(2)).decision(on: "gold").verdict
        == .granted)
    #expect(try [end(), end()] == [true, false])
    #expect(
      try store.reader.answer(of: anna, now: Signed.at(6)).decision(on: "gold").reason
        == .manualGrantEnded)
    #expect(
      try store.reader.answer(of: anna, at: Signed.at(3)).decision(on: "gold").verdict
        == .granted)
    #expect(
      try store.reader.answer(of: anna, at: Signed.at(0)).decision(on: "gold").verdict
        == .unknown)
  }

  @Test(arguments: StoreKind.allCases)
  func `the timeline shows facts, money and answers in order`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1") { $0.appTransactionId = "acc" }
    try store.record(Signed.notification(.subscribed, "u1", bought, signed: 0))
    _ = try store.link("1", "anna")
    let refunded = Signed.transaction("1", signed: 50, revoked: 49) {
      $0.appTransactionId = "acc"
    }
    try store.record(Signed.notification(.refund, "u2", refunded, signed: 50))
    let anna = Signed.customer("anna")
    let all = try store.reader.timeline(of: anna, limit: 50)
    #expect(
      all.map(\.word) == [
        "notification notification", "own own", "event granted", "notification notification",
        "posting 9990", "event revoked", "event refunded",
      ])
    let rest = try store.reader.timeline(of: anna, after: all[2].place, limit: 2)
    #expect(rest == Array(all[3...4]))
    #expect(try store.reader.timeline(of: Signed.customer("none"), limit: 5) == [])
  }
}

extension TimelineEntry {
  fileprivate var word: String {
    switch content {
    case .sighting(let sighting): "\(sighting.kind) \(sighting.channel)"
    case .posting(let posting): "posting \(posting.amount.milliunits)"
    case .event(let event): "event \(event.type)"
    }
  }
}

extension TestStore {
  func link(_ chain: String, _ customer: String) throws -> OwnershipOutcome {
    try ledger.wait {
      ledger.link(
        chain, to: Signed.customer(customer), now: Signed.at(2), completion: $0)
    }
  }

  func unlink(_ chain: String, _ customer: String) throws -> OwnershipOutcome {
    try ledger.wait {
      ledger.unlink(
        chain, from: Signed.customer(customer), now: Signed.at(3), completion: $0)
    }
  }

  func transfer(_ chain: String, _ customer: String) throws -> OwnershipOutcome {
    try ledger.wait {
      ledger.transfer(
        chain, to: Signed.customer(customer), note: "asked for", now: Signed.at(4), completion: $0)
    }
  }
}
