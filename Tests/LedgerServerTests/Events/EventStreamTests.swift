import AppStoreModel
import AppStoreSimulator
import ContractSupport
import LedgerStorage
import Testing

@testable import LedgerServer

/// What a backend that holds the stream open can rely on.
struct EventStreamTests {
  @Test func `a refund is on the stream, with the very text that a question gets`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.pro, customer)
    _ = try served.deliver()
    let reader = try StreamReader(served)
    #expect(reader.header.contains("Content-Type: text/event-stream"))
    #expect(reader.header.contains("Cache-Control: no-store"))
    let opening = try #require(reader.next())
    #expect(opening.retry == "1000")
    #expect(opening.data == nil)
    let before = try #require(opening.id)
    try served.stage.refund(bought)
    _ = try served.deliver()
    let revoked = try #require(reader.event())
    let refunded = try #require(reader.event())
    #expect([revoked.type, refunded.type] == ["revoked", "refunded"])
    #expect(revoked.json?["id"]?.string == revoked.id)
    let pulled = try served.call("GET /v1/events?after=\(before)", .read)
    #expect(
      pulled.body
        == "{\"events\":[\(revoked.data ?? ""),\(refunded.data ?? "")],\"next\":"
        + "\(refunded.json?["position"]?.integer ?? 0)}")
    for event in [revoked, refunded] {
      #expect(try JSONSchema("event").findings(in: event.data ?? "") == [])
      #expect(
        event.json?["causes"]?.array?.first?["notificationUUID"]?.string
          == served.stage.store.notifications.last?.payload.notificationUUID)
    }
  }

  @Test(arguments: [true, false])
  func `a reader picks up where it broke off, by header or by parameter`(
    byHeader: Bool
  ) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    var versions: [Int64?] = []
    var lastID: String?
    for round in 0..<5 {
      let reader = try StreamReader(
        served, byHeader ? "" : "?after=\(lastID ?? "0")",
        lastEventID: byHeader ? lastID ?? "0" : nil)
      try served.tell((round * 10)..<(round * 10 + 10))
      for _ in 0..<(round == 4 ? 18 : 8) { versions.append(reader.event()?.version) }
      lastID = reader.lastID
    }
    #expect(versions == (1...50).map { Int64($0) })
  }

  @Test func `without a cursor only what is yet to come is sent`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    try served.tell(0..<4)
    let reader = try StreamReader(served)
    #expect(reader.next()?.id?.hasPrefix("evt_4_") == true)
    try served.tell(4..<5)
    #expect(reader.event()?.version == 5)
  }

  @Test func `two streams side by side get the same, in the same order`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let readers = try (0..<2).map { _ in try StreamReader(served, "?after=0") }
    try served.tell(0..<300)
    let ids = readers.map { reader in (0..<300).map { _ in reader.event()?.id } }
    #expect(ids[0] == ids[1])
    #expect(Set(ids[0]).count == 300)
  }

  @Test func `a key sees its environment alone, and its cursor still moves on`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let sandbox = try StreamReader(served, "?after=0")
    let production = try StreamReader(served, "?after=0", .read, .production)
    #expect(production.next()?.id == "0")
    try served.tell(0..<20)
    #expect((1...20).allSatisfy { sandbox.event()?.version == $0 })
    served.moment.set(served.moment.get().adding(.seconds(15)))
    let heartbeat = try #require(production.next())
    #expect(heartbeat.comment == "heartbeat")
    #expect(heartbeat.data == nil)
    #expect(heartbeat.id == sandbox.lastID)
    try served.tell(0..<1, .production)
    let first = try #require(production.event())
    #expect(first.json?["environment"]?.string == "Production")
  }

  @Test func `a reader gets the types that it asks for`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let reader = try StreamReader(served, "?after=0&types=expired,revoked")
    try served.tell(0..<6)
    #expect((0..<3).map { _ in reader.event()?.version } == [2, 4, 6])
  }

  @Test func `a silent stream shows that it lives after fifteen seconds, and not before`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let reader = try StreamReader(served)
    #expect(reader.next()?.comment == "connected")
    served.moment.set(ServedLedger.start.adding(TimeSpan(milliseconds: 14_999)))
    try served.tell(0..<1)
    #expect(reader.next()?.type == "granted")
    served.moment.set(ServedLedger.start.adding(TimeSpan(milliseconds: 29_998)))
    try served.tell(1..<2)
    #expect(reader.next()?.type == "expired")
    served.moment.set(ServedLedger.start.adding(TimeSpan(milliseconds: 44_998)))
    let heartbeat = try #require(reader.next())
    #expect(heartbeat.comment == "heartbeat")
    #expect(heartbeat.id?.hasPrefix("evt_2_") == true)
  }

  @Test func `a server that stops says so and does not wait for its streams`() throws {
    let served = try ServedLedger()
    let readers = try (0..<3).map { _ in try StreamReader(served) }
    for reader in readers { _ = reader.next() }
    served.stop()
    for reader in readers {
      #expect(reader.goodbye() == "the server stops: connect again")
    }
  }

  @Test func `a stream ends when its key is revoked, and no other`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let reader = try StreamReader(served, "?after=0")
    let other = try StreamReader(served, "?after=0", .spend)
    try served.tell(0..<1)
    #expect(reader.event()?.version == 1)
    _ = served.service.operations.run(
      .object([
        .init("command", .string("keys.revoke")), .init("name", .string("readSandbox")),
      ]))
    try served.tell(1..<2)
    #expect(reader.goodbye() == "the key was revoked")
    #expect(reader.lastID?.hasPrefix("evt_1_") == true)
    #expect(other.event()?.version == 1)
    #expect(other.event()?.version == 2)
  }

  @Test func `HEAD tells what a stream is without opening one`() throws {
    let served = try ServedLedger {
      $0.limits.streamsPerKey = 1
    }
    defer { served.stop() }
    for _ in 0..<3 {
      let client = try RawClient(port: served.service.port)
      client.send(
        "HEAD /v1/events/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
          + "Authorization: Bearer \(try served.secret(.read))\r\n\r\n")
      #expect(try client.header().contains("text/event-stream"))
      #expect(client.isClosed())
    }
  }
}
