import AppStoreModel
import Testing

@testable import LedgerServer

/// A question that waits until there is something to tell.
struct EventWaitTests {
  /// Sends a question and leaves its answer for later.
  private static func ask(_ served: ServedLedger, _ query: String) throws -> RawClient {
    let client = try RawClient(port: served.service.port)
    client.send(
      "GET /v1/events?\(query) HTTP/1.1\r\nHost: x\r\n"
        + "Authorization: Bearer \(try served.secret(.read))\r\n\r\n")
    return client
  }

  private static func answer(
    _ client: RawClient
  ) throws -> (status: Int, versions: [Int64?], next: Int64?) {
    let answer = try client.answer()
    let json = try JSONValue(json: Array(answer.body.utf8))
    let versions = json["events"]?.array?.map { $0["version"]?.integer } ?? []
    return (answer.status, versions, json["next"]?.integer)
  }

  private static func waitUntil(_ count: Int, wait served: ServedLedger) throws {
    while try !served.call("GET /metrics", .admin).body.contains("clawback_streams \(count)\n") {}
  }

  @Test func `what is there is told at once`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    try served.tell(0..<2)
    let answer = try Self.answer(Self.ask(served, "after=0&wait=60"))
    #expect(answer.versions == [1, 2])
    #expect(answer.next == 2)
  }

  @Test func `an event ends the waiting of those who want it`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let any = try Self.ask(served, "after=0&wait=60")
    let picky = try Self.ask(served, "after=0&wait=60&types=expired")
    try Self.waitUntil(2, wait: served)
    try served.tell(0..<1)
    #expect(try Self.answer(any).versions == [1])
    try served.tell(1..<2)
    let answer = try Self.answer(picky)
    #expect(answer.versions == [2])
    #expect(answer.next == 2)
    try Self.waitUntil(0, wait: served)
  }

  @Test func `a waiting ends when its time is over`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let client = try Self.ask(served, "after=0&wait=20")
    try Self.waitUntil(1, wait: served)
    served.moment.set(ServedLedger.start.adding(.seconds(20)))
    let answer = try Self.answer(client)
    #expect(answer.status == 200)
    #expect(answer.versions == [])
    #expect(answer.next == 0)
  }

  @Test func `a waiting ends with its key and with the server`() throws {
    let served = try ServedLedger()
    let revoked = try Self.ask(served, "after=0&wait=60")
    try Self.waitUntil(1, wait: served)
    _ = served.service.operations.run(
      .object([
        .init("command", .string("keys.revoke")), .init("name", .string("readSandbox")),
      ]))
    #expect(try Self.answer(revoked).status == 401)
    let stopped = try RawClient(port: served.service.port)
    stopped.send(
      "GET /v1/events?wait=60 HTTP/1.1\r\nHost: x\r\n"
        + "Authorization: Bearer \(try served.secret(.spend))\r\n\r\n")
    try Self.waitUntil(1, wait: served)
    served.stop()
    #expect(try Self.answer(stopped).versions == [])
  }

  @Test(arguments: [
    "wait=61", "wait=-1", "wait=x", "types=", "types=a,,b", "types=revokd", "type=revoked",
    "types=webhookDisabled,ping", "limit=0", "limit=501",
  ])
  func `a question that cannot be understood is refused`(query: String) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    #expect(try served.call("GET /v1/events?\(query)", .read).status == 400)
  }
}
