import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import HTTPListener
import Synchronization
import Testing

/// Takes deliveries, and answers with a status that a test sets.
private final class Receiver: RequestHandler {
  private let state = Mutex((status: 204, requests: [HTTPRequest]()))

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func answer(_ status: Int) { state.withLock { $0.status = status } }

  func handle(_ request: HTTPRequest, reply: Reply) {
    let status = state.withLock { state in
      state.requests.append(request)
      return state.status
    }
    reply.send(HTTPResponse(status: status))
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }

  /// Waits for the next events, up to so many in all; the time limit ends a wait for what never comes.
  func events(_ count: Int) throws -> [JSONValue] {
    while true {
      let events = try requests.map { try JSONValue(json: $0.body) }
        .filter { $0["type"]?.string != "ping" }
      if events.count >= count { return events }
      sched_yield()
    }
  }
}

/// `clawback webhooks …` against a server that runs, and without one.
struct WebhookCommandTests {
  private let store: BusyStore
  private let site: ServedSite
  private let receiver = Receiver()
  private let listener: HTTPServer

  init() throws {
    store = try BusyStore(customers: 2)
    site = try store.site()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    listener = try #require(
      HTTPServer(address, loops: 1, limits: HTTPLimits(), handler: receiver))
    try site.rewrite("webhooks: { trustedURLs: [\"\(url)\"] }")
  }

  private var url: String { "http://127.0.0.1:\(listener.port)/hook" }

  private func run(_ words: String...) throws -> (code: Int32, output: String, diagnostics: String)
  {
    try ServedProcess.run(["webhooks"] + words + ["--config", site.configuration])
  }

  /// Runs a command for programs, and holds what it prints against a schema.
  private func json(_ schema: String, _ words: String...) throws -> JSONValue {
    let said = try ServedProcess.run(
      ["webhooks"] + words + ["--json", "--config", site.configuration])
    #expect(try JSONSchema(schema).findings(in: said.output) == [], "\(words): \(said.output)")
    return try JSONValue(json: Array(said.output.utf8))
  }

  private func makeEndpoint() throws -> String {
    let made = try json(
      "webhook", "create", url, "--environment", store.app.environment.rawValue,
      "--description", "billing")
    #expect(made["secret"]?.string?.hasPrefix("whsec_") == true)
    return try #require(made["webhook"]?["id"]?.string)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an endpoint's life by the command line: made, tested, sent to, replayed, stopped, deleted`()
    throws
  {
    let served = try ServedProcess(site)
    defer { listener.stop() }
    let id = try makeEndpoint()
    #expect(try row().hasPrefix("\(id)  webhook  enabled  "))
    #expect(try run("test", id) == (0, "delivered: status 204\n", ""))
    #expect(try json("webhook-test", "test", id)["delivered"] == .bool(true))
    #expect(try served.post(store.notifications[0]) == 200)
    let first = try #require(try receiver.events(1).first)
    let event = try #require(first["id"]?.string)
    try awaitLog(id, #""result":"delivered","status":204"#)
    _ = try json("webhook-deliveries", "deliveries", id, "--limit", "1")
    let log = try run("deliveries", id).output.split(separator: "\n")
    #expect(
      log.first?.split(separator: " ")
        == ["started", "event", "attempt", "result", "answer", "took"])
    let cells = log.dropFirst().first?.split(separator: " ").dropFirst().prefix(5)
    #expect(cells?.map(String.init) == ["1", "1", "delivered", "status", "204"])
    #expect(try run("deliveries", id, "--dead").diagnostics == "Nothing was given up.\n")

    for (number, words) in [
      ["--event", event], ["--event", "1"], ["--since", "2020-01-01T00:00:00Z"],
    ].enumerated() {
      let replayed = try ServedProcess.run(
        ["webhooks", "replay", id] + words + ["--config", site.configuration])
      #expect(replayed.code == 0, "\(replayed.diagnostics)")
      #expect(try receiver.events(number + 2).last?["id"]?.string == event)
    }
    let nothing = try run("replay", id, "--dead")
    #expect(nothing.code == 1)
    #expect(nothing.diagnostics.contains("There is nothing to send again."))
    #expect(try run("replay", id).code == 2)

    #expect(try run("disable", id).code == 0)
    #expect(try row().hasPrefix("\(id)  webhook  disabled (operator since 20"))
    let count = receiver.requests.count
    #expect(try served.post(store.notifications[1]) == 200)
    #expect(receiver.requests.count == count)
    let woken = try json("webhook", "wake", id)
    #expect(woken["webhook"]?["enabled"] == .bool(true))
    let types = try receiver.events(5).dropFirst(4).compactMap { $0["type"]?.string }
    #expect(Set(types).isDisjoint(with: ["webhookDisabled", "webhookWoken"]))
    #expect(try run("delete", id).code == 0)
    #expect(try run("list").output == "")
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a receiver that fails shows in the list, in the test and in the log of deliveries`() throws
  {
    let served = try ServedProcess(site)
    defer { listener.stop() }
    let id = try makeEndpoint()
    receiver.answer(500)
    #expect(try run("test", id) == (1, "not delivered: status 500\n", ""))
    #expect(try json("webhook-test", "test", id)["status"]?.integer == 500)
    #expect(try served.post(store.notifications[0]) == 200)
    try awaitLog(id, #""result":"failed","status":500"#)
    #expect(try row().hasPrefix("\(id)  webhook  failing since 20"))
    let listed = try json("webhooks", "list")["webhooks"]?.array?.first
    #expect(listed?["failingSinceMs"] != nil && (listed?["waiting"]?.integer ?? 0) > 0)
    #expect(
      try json("webhook-dead-letters", "deliveries", id, "--dead")["deadLetters"] == .array([]))
    receiver.answer(204)
    #expect(try run("wake", id).code == 0)
    try awaitLog(id, #""result":"delivered","status":204"#)
    #expect(try row().hasPrefix("\(id)  webhook  enabled  "))
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a secret is turned over under a running server, and both sign until the overlap ends`()
    throws
  {
    let served = try ServedProcess(site)
    defer { listener.stop() }
    let id = try makeEndpoint()
    let rotated = try run("rotate", id, "--overlap", "1")
    #expect(rotated.code == 0 && rotated.output.hasPrefix("whsec_"))
    #expect(try run("test", id).code == 0)
    let signatures = receiver.requests.last?.headers["webhook-signature"]?.split(separator: " ")
    #expect(signatures?.count == 2 && Set(signatures ?? []).count == 2)
    #expect(try run("rotate", id, "--overlap", "0").code == 0)
    #expect(try run("test", id).code == 0)
    let alone = receiver.requests.last?.headers["webhook-signature"]?.split(separator: " ")
    #expect(alone?.count == 1)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(5)))
  func `without a server endpoints can be looked at and changed, but nothing can be tested`() throws
  {
    let served = try ServedProcess(site)
    defer { listener.stop() }
    let id = try makeEndpoint()
    for words in [["test"], ["wake"], ["disable"], ["rotate"], ["delete"], ["deliveries"]] {
      let said = try ServedProcess.run(
        ["webhooks"] + words + ["wh_0", "--config", site.configuration])
      #expect(said.code == 1 && said.diagnostics.contains("endpoint"), "\(said.diagnostics)")
    }
    #expect(served.stop() == 0)
    let tested = try run("test", id)
    #expect(tested.code == 1)
    #expect(tested.diagnostics.contains("Only a running server sends: start it first."))
    #expect(try run("disable", id).code == 0)
    #expect(try run("list").output.contains("disabled (operator since"))
    #expect(try run("delete", id).code == 0)
    #expect(try run("list").output == "")
  }

  @Test(.timeLimit(.minutes(5)))
  func `who is forwarded to is listed with how it fares, and can be looked at but not changed`()
    throws
  {
    try site.rewrite("forwarding: [{ url: \"\(url)\", trusted: true }]")
    let served = try ServedProcess(site)
    defer { listener.stop() }
    let listed = try json("webhooks", "list")["forwarding"]?.array?.first
    let id = try #require(listed?["id"]?.string)
    #expect(
      try row().split(separator: " ").map(String.init)
        == [id, "forwarding", "enabled", "all", "all", "0", "0", url])
    receiver.answer(500)
    #expect(try served.post(store.notifications[0]) == 200)
    try awaitLog(id, #""result":"failed","status":500"#)
    let failing = try row().split(separator: " ").map(String.init)
    #expect(failing.starts(with: [id, "forwarding", "failing", "since"]))
    #expect(failing.suffix(3) == ["1", "0", url])
    #expect(try run("replay", id, "--dead").code == 1)
    for word in ["disable", "wake", "rotate", "delete", "test"] {
      #expect(try run(word, id).code == 1, "\(word)")
    }
    #expect(served.stop() == 0)
  }

  /// The only line under the header of the list.
  private func row() throws -> String {
    let lines = try run("list").output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("endpoint ") == true && lines.count == 2)
    return lines.last ?? ""
  }

  /// Waits until the log of an endpoint tells something.
  private func awaitLog(_ id: String, _ text: String) throws {
    while true {
      let log = try json("webhook-deliveries", "deliveries", id)
      if String(decoding: log.json, as: UTF8.self).contains(text) { return }
    }
  }
}
