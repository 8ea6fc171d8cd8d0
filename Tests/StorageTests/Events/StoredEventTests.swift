import AppStoreModel
import ContractSupport
import EntitlementLedger
import LedgerStorage
import Synchronization
import Testing

/// What every event carries, whoever reads it.
struct StoredEventTests {
  private static let anna = Signed.customer("anna")

  /// A purchase, its refund by notification, and a grant by hand.
  private static func told(_ kind: StoreKind) throws -> (store: TestStore, events: [StoredEvent]) {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna"), received: 1))
    try store.record(
      Signed.notification(
        .refund, "uuid-1", Signed.transaction("1", token: "anna", signed: 60, revoked: 50),
        signed: 60, received: 61))
    let grant = ManualGrant(
      id: "g1", customer: anna.id, entitlement: "vip", from: Signed.at(70), until: Signed.at(90))
    let statement = GrantStatement(by: "support", reason: "goodwill", at: Signed.at(70))
    _ = try store.ledger.wait {
      store.ledger.grant(grant, in: Signed.scope, statement, completion: $0)
    }
    _ = try store.ledger.wait {
      store.ledger.processDueDeadlines(now: Signed.at(90), completion: $0)
    }
    return (store, try store.reader.events(after: 0, limit: 99))
  }

  private static func json(_ event: StoredEvent) throws -> JSONValue {
    try JSONValue(json: event.json)
  }

  @Test(arguments: StoreKind.allCases)
  func `an event names the facts that caused it by Apple's own ids`(kind: StoreKind) throws {
    let lines = try Self.told(kind).events.map { event in
      let causes = try #require(try Self.json(event)["causes"]?.array)
      let names = causes.map { cause in
        ["kind", "channel", "notificationType", "notificationUUID", "transactionId", "statement"]
          .compactMap { cause[$0]?.string }.joined(separator: " ")
      }
      return "\(event.version) \(event.type): \(names.joined(separator: ", "))"
    }
    #expect(
      lines == [
        "1 granted: transaction device 1",
        "2 revoked: notification notification REFUND uuid-1 1",
        "2 refunded: notification notification REFUND uuid-1 1",
        "3 granted: own own grant",
        "4 expired: ",
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `an event tells how its customer stands with everything`(kind: StoreKind) throws {
    let lines = try Self.told(kind).events.map { event in
      try #require(try Self.json(event)["data"]?["entitlements"]?.array).map { standing in
        "\(standing["entitlement"]?.string ?? "")=\(standing["verdict"]?.string ?? "")"
      }.joined(separator: " ")
    }
    #expect(
      lines == [
        "pro.monthly=granted", "pro.monthly=denied", "pro.monthly=denied",
        "pro.monthly=denied vip=granted", "pro.monthly=denied vip=denied",
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `every event is as its schema says, on one line`(kind: StoreKind) throws {
    for event in try Self.told(kind).events {
      #expect(try JSONSchema("event").findings(in: Self.json(event)) == [])
      #expect(!event.json.contains { $0 == 0x0A || $0 == 0x0D })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `ids are unique, stay the same, and differ from those of a ledger with another history`(
    kind: StoreKind
  ) throws {
    let (store, events) = try Self.told(kind)
    #expect(Set(events.map(\.id)).count == events.count)
    #expect(try store.reader.events(after: 0, limit: 99).map(\.id) == events.map(\.id))
    let other = try kind.open()
    try other.record(Signed.delivery(Signed.transaction("2", token: "ben"), received: 1))
    let first = try #require(try other.reader.events(after: 0, limit: 1).first)
    #expect(first.position == events[0].position)
    #expect(first.id != events[0].id)
  }

  @Test(arguments: StoreKind.allCases)
  func `news is told once for each commit with events, and when they can be read`(
    kind: StoreKind
  ) throws {
    let store = try kind.open()
    let told = Mutex<[Int64]>([])
    store.ledger.news.observe { position in told.withLock { $0.append(position) } }
    let bought = try Signed.delivery(Signed.transaction("1", token: "anna"), received: 1)
    try store.record(bought)
    try store.record(bought)
    #expect(told.withLock { $0 } == [1])
    try store.record(
      Signed.notification(
        .refund, "uuid-1", Signed.transaction("1", token: "anna", signed: 60, revoked: 50),
        signed: 60))
    #expect(told.withLock { $0 } == [1, 3])
    #expect(try store.reader.lastEventPosition() == 3)
  }
}

/// The text of an event's id.
struct EventIDTests {
  @Test(arguments: ["evt_1_0123456789abcdef", "evt_9223372036854775807_ffffffffffffffff"])
  func `an id reads back as it was written`(text: String) {
    #expect(EventID(text)?.text == text)
  }

  @Test(arguments: [
    "", "1", "evt_1", "evt_0_0123456789abcdef", "evt_-1_0123456789abcdef",
    "evt_01_0123456789abcdef", "evt_+1_0123456789abcdef", "evt_1_0123456789ABCDEF",
    "evt_1_0123456789abcde", "evt_1_0123456789abcdef0", "evt_1_0123456789abcdef_", "EVT_1_0",
    "evt_9223372036854775808_0123456789abcdef", "evt_1_0123456789abcdeg",
  ])
  func `anything else is no id`(text: String) {
    #expect(EventID(text) == nil)
  }
}
