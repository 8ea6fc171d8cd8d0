import AppStoreModel
import ContractSupport
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

@testable import LedgerServer

/// That others hear when an endpoint is sent nothing any more, and when it is sent again.
struct EndpointEventTests {
  /// Events about endpoints, as their readers get them.
  private func told(_ trial: DeliveryTrial) throws -> [JSONValue] {
    try trial.reader.events(after: 0, limit: 500).filter { $0.type.hasPrefix("webhook") }
      .map { event in
        let text = String(decoding: event.json, as: UTF8.self)
        #expect(try JSONSchema("event").findings(in: text) == [], "\(text)")
        return try JSONValue(json: event.json)
      }
  }

  @Test func `an endpoint that fails for five days is told to the others, with since when and why`()
    throws
  {
    let trial = try DeliveryTrial()
    try trial.endpoint("bad")
    try trial.endpoint("good")
    let bad = try trial.destination("bad").id
    try trial.news("ada")
    let begun = trial.now
    var heard: [Int64] = []
    for _ in 0..<123 {
      try trial.settle { request in
        if request.attempt.destination != bad { heard.append(request.position) }
        return request.attempt.destination == bad ? 500 : 200
      }
      trial.wait(.hours(1))
      if try trial.destination("bad").disabledAt == nil { try trial.news("c\(heard.count)") }
    }
    let event = try #require(try told(trial).first)
    #expect(event["type"]?.string == "webhookDisabled")
    #expect(event["app"]?.string == DeliveryTrial.scope.bundleId)
    #expect(event["customer"] == nil)
    let webhook = try #require(event["data"]?["webhook"])
    #expect(webhook["id"]?.string == "bad")
    #expect(webhook["enabled"] == .bool(false))
    #expect(webhook["disabledBecause"]?.string == "failing")
    #expect(webhook["failingSinceMs"]?.integer == begun.millisecondsSince1970)
    let position = try #require(event["position"]?.integer)
    #expect(heard.contains(position))
    #expect(try told(trial).count == 1)
  }

  @Test func `waking is told once, and what was awake tells nothing`() throws {
    let trial = try DeliveryTrial()
    let endpoint = try trial.endpoint("one")
    let now = trial.now
    try trial.write { (recorder) throws(StoreError) in try recorder.wake(endpoint, now: now) }
    #expect(try told(trial) == [])
    for _ in 0..<2 {
      try trial.write { (recorder) throws(StoreError) in
        _ = try recorder.disable(endpoint, .operator, now: now)
      }
    }
    for _ in 0..<2 {
      try trial.write { (recorder) throws(StoreError) in try recorder.wake(endpoint, now: now) }
    }
    let events = try told(trial)
    #expect(events.map { $0["type"]?.string } == ["webhookDisabled", "webhookWoken"])
    #expect(events[0]["data"]?["webhook"]?["disabledBecause"]?.string == "operator")
    #expect(events[1]["data"]?["webhook"]?["enabled"] == .bool(true))
  }

  @Test func `an endpoint is never sent that it was disabled or woken, and the others are, once`()
    throws
  {
    let trial = try DeliveryTrial()
    let one = try trial.endpoint("one")
    let two = try trial.endpoint("two")
    var heard: [Int64: [String]] = [:]
    func settle() throws {
      try trial.settle { request in
        let types = (try? trial.types([request.position])) ?? []
        heard[request.attempt.destination, default: []] += types
        return 200
      }
    }
    for _ in 0..<3 {
      // Sent before and after it is known here that the endpoint was disabled: the same is heard.
      try trial.change { (recorder, now) throws(StoreError) in
        _ = try recorder.disable(one, .operator, now: now)
      }
      try settle()
      try trial.reload()
      try settle()
      try trial.change { (recorder, now) throws(StoreError) in
        try recorder.wake(one, now: now)
      }
      try settle()
      try trial.reload()
      try settle()
    }
    #expect(heard[one.id] == nil)
    #expect(heard[two.id]?.count == 6)
    #expect(Set(heard[two.id] ?? []) == ["webhookDisabled", "webhookWoken"])
  }

  @Test func `nothing begins after an endpoint's end was committed, known here or not`() throws {
    let trial = try DeliveryTrial()
    let one = try trial.endpoint("one")
    let first = try trial.news("ada")
    try trial.turn()
    #expect(trial.sent.map(\.position) == [first])
    try trial.news("ada")
    try trial.news("ben")
    try trial.change { (recorder, now) throws(StoreError) in
      _ = try recorder.disable(one, .operator, now: now)
    }
    try trial.news("cleo")
    try trial.turn()
    #expect(trial.sent.map(\.position) == [first])
    try trial.reload()
    try trial.turn()
    #expect(trial.sent.map(\.position) == [first])
  }

  @Test func `what was under way when an endpoint was disabled and arrives is not sent again`()
    throws
  {
    let trial = try DeliveryTrial()
    let one = try trial.endpoint("one")
    try trial.news("ada")
    let waiting = try trial.news("ada")
    try trial.turn()
    try trial.change { (recorder, now) throws(StoreError) in
      _ = try recorder.disable(one, .operator, now: now)
    }
    try trial.reload()
    try trial.answer(200)
    try trial.turn()
    #expect(trial.sent.isEmpty)
    try trial.change { (recorder, now) throws(StoreError) in try recorder.wake(one, now: now) }
    try trial.reload()
    #expect(try trial.settle() == [waiting])
  }

  @Test func `readers of each of its apps hear of an endpoint, and never read its address`() throws
  {
    let trial = try DeliveryTrial()
    let apps: Set = ["com.example.one", "com.example.two"]
    let endpoint = try trial.endpoint("both", apps: apps, url: "https://example.com/secret")
    let now = trial.now
    try trial.write { (recorder) throws(StoreError) in
      _ = try recorder.disable(endpoint, .operator, now: now)
    }
    let events = try told(trial)
    #expect(Set(events.compactMap { $0["app"]?.string }) == apps)
    #expect(!events.contains { String(decoding: $0.json, as: UTF8.self).contains("secret") })
  }

  @Test(.timeLimit(.minutes(4)))
  func `log, counters and events follow an endpoint that is disabled and woken`() throws {
    let folder = try TestFolder()
    let file = open(folder.file("log"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    let served = try ServedLedger(log: Log(descriptor: file))
    let made = try served.makeWebhook("https://receiver.example.com/hook")
    try served.awaitEndpoint(made.id)
    for (word, change) in [("disable", "disabled"), ("wake", "woken")] {
      #expect(try served.call("POST /v1/webhooks/\(made.id)/\(word)", .admin).status == 200)
      try served.awaitMetric("clawback_webhook_changes_total{change=\"\(change)\"} 1")
    }
    let events = try JSONValue(json: Array(served.call("GET /v1/events", .read).body.utf8))
    let types = events["events"]?.array?.compactMap { $0["type"]?.string }
    #expect(types == ["webhookDisabled", "webhookWoken"])
    served.stop()
    let lines = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
      .split(separator: "\n").filter { $0.contains(made.id) && $0.contains(#""event":"webhook"#) }
    #expect(lines.count == 2)
    #expect(
      lines.first?.contains(#""level":"info","event":"webhookDisabled""#) == true
        && lines.first?.contains(#""reason":"operator""#) == true)
    #expect(lines.last?.contains(#""event":"webhookWoken""#) == true)
  }
}

extension ServedLedger {
  /// Waits until the metrics hold a line.
  func awaitMetric(_ line: String) throws {
    for _ in 0..<10_000 {
      if try call("GET /metrics", .read).body.contains(line) { return }
      sched_yield()
    }
    Issue.record("the metrics never say \(line)")
  }
}
