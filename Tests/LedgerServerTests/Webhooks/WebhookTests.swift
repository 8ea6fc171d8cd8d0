import AppStoreModel
import AppStoreSimulator
import CCrypto
import ContractSupport
import Glibc
import HTTPListener
import LedgerStorage
import Testing

@testable import LedgerServer

/// What an endpoint gets of a running server.
struct WebhookTests {
  private static let themes = SimulatedProduct.themes

  private func serving(
    _ receivers: TestReceiver..., body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger { configuration in
      configuration.webhooks.trustedURLs = Set(receivers.map(\.url))
      configuration.webhooks.timeout = .seconds(30)
    }
    defer {
      for receiver in receivers { receiver.stop() }
      served.stop()
    }
    try body(served)
  }

  @Test(.timeLimit(.minutes(4)))
  func `an event arrives signed, as the event list shows it`() throws {
    let receiver = try TestReceiver()
    try serving(receiver) { served in
      let made = try served.makeWebhook(receiver.url)
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      let request = try #require(receiver.wait(for: 1).first)
      #expect(request.method == "POST")
      #expect(request.headers["content-type"] == "application/json")
      #expect(request.headers["user-agent"] == "clawback")
      let event = try JSONValue(json: request.body)
      let listed = try JSONValue(json: Array(served.call("GET /v1/events", .read).body.utf8))
      #expect(listed["events"]?.array?.first?.json == event.json)
      #expect(event["id"]?.string == request.headers["webhook-id"])
      #expect(try made.verifies(request))
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `during a rotation both secrets sign, and afterwards the new one alone`() throws {
    let receiver = try TestReceiver()
    try serving(receiver) { served in
      let old = try served.makeWebhook(receiver.url)
      let rotated = try served.call(
        "POST /v1/webhooks/\(old.id)/secret", .admin, body: #"{"overlapHours":1}"#)
      let new = try MadeWebhook(rotated.body)
      #expect(new.id == old.id && new.secret != old.secret)
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      let both = try #require(receiver.wait(for: 1).first)
      #expect(try old.verifies(both))
      #expect(try new.verifies(both))
      served.stage.waitDays(1)
      _ = try served.stage.buy(.pro, customer)
      _ = try served.deliver()
      let later = try #require(receiver.wait(for: 2).last)
      #expect(try !old.verifies(later))
      #expect(try new.verifies(later))
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `a failed delivery comes again by the clock, and with the same id`() throws {
    let receiver = try TestReceiver { _, number in .status(number < 3 ? 500 : 200) }
    try serving(receiver) { served in
      let made = try served.makeWebhook(receiver.url)
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(Self.themes, customer)
      _ = try served.deliver()
      _ = receiver.wait(for: 1)
      try served.awaitAttempts(1, of: made.id)
      served.moment.set(served.moment.get().adding(.seconds(6)))
      _ = receiver.wait(for: 2)
      try served.awaitAttempts(2, of: made.id)
      served.moment.set(served.moment.get().adding(.seconds(36)))
      let all = receiver.wait(for: 3)
      #expect(Set(all.map { $0.headers["webhook-id"] ?? "" }).count == 1)
      #expect(Set(all.map(\.body)).count == 1)
      #expect(Set(all.map { $0.headers["webhook-timestamp"] ?? "" }).count == 3)
      let log = try served.awaitAttempts(3, of: made.id)
      #expect(log.map { $0["result"]?.string } == ["delivered", "failed", "failed"])
      #expect(log.map { $0["status"]?.integer } == [200, 500, 500])
      #expect(log.map { $0["attempt"]?.integer } == [3, 2, 1])
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `a receiver that never answers holds nobody else up`() throws {
    let silent = try TestReceiver { _, _ in .silence }
    let good = try TestReceiver()
    try serving(silent, good) { served in
      _ = try served.makeWebhook(silent.url)
      _ = try served.makeWebhook(good.url)
      for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"] {
        _ = try served.stage.buy(Self.themes, served.stage.store.enroll(name))
      }
      _ = try served.deliver()
      #expect(good.wait(for: 12).count == 12)
      #expect(silent.requests.count <= 8)
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `a test says how the receiver answered`() throws {
    let receiver = try TestReceiver { _, number in .status(number == 1 ? 200 : 404) }
    try serving(receiver) { served in
      let made = try served.makeWebhook(receiver.url)
      try served.awaitEndpoint(made.id)
      let good = try served.call("POST /v1/webhooks/\(made.id)/test", .admin)
      #expect(good.body.hasPrefix(#"{"delivered":true,"status":200,"#), "\(good.body)")
      let ping = try #require(receiver.requests.first)
      #expect(try made.verifies(ping))
      #expect(try JSONValue(json: ping.body)["type"]?.string == "ping")
      let bad = try served.call("POST /v1/webhooks/\(made.id)/test", .admin)
      #expect(bad.body.hasPrefix(#"{"delivered":false,"status":404,"#), "\(bad.body)")
      for answer in [good, bad] {
        #expect(try JSONSchema("webhook-test").findings(in: answer.body) == [])
      }
    }
  }
}

/// What the creation of an endpoint answers.
struct MadeWebhook {
  let id: String
  let secret: String

  init(_ body: String) throws {
    let json = try JSONValue(json: Array(body.utf8))
    id = try #require(json["webhook"]?["id"]?.string, "\(body)")
    secret = try #require(json["secret"]?.string, "\(body)")
  }

  /// Whether one of a request's signatures is by this secret.
  func verifies(_ request: HTTPRequest) throws -> Bool {
    let id = try #require(request.headers["webhook-id"])
    let seconds = try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
    let text = Array(secret.dropFirst(6).utf8)
    var bytes = [UInt8](repeating: 0, count: text.count)
    let count = Int(EVP_DecodeBlock(&bytes, text, Int32(text.count)))
    let padding = text.count { $0 == UInt8(ascii: "=") }
    let expected = WebhookSignature(
      id: id, sentAt: Timestamp(millisecondsSince1970: seconds * 1_000), body: request.body,
      secrets: [Array(bytes[..<(count - padding)])])
    let found = request.headers["webhook-signature"]?.split(separator: " ") ?? []
    return found.contains { $0 == expected.value }
  }
}

extension ServedLedger {
  func makeWebhook(_ url: String, more: String = "") throws -> MadeWebhook {
    let answer = try call("POST /v1/webhooks", .admin, body: #"{"url":"\#(url)"\#(more)}"#)
    #expect(answer.status == 201, "\(answer.body)")
    return try MadeWebhook(answer.body)
  }

  /// Waits until the log of an endpoint holds so many attempts; the latest first.
  @discardableResult
  func awaitAttempts(_ count: Int, of id: String) throws -> [JSONValue] {
    for _ in 0..<100_000 {
      let answer = try call("GET /v1/webhooks/\(id)/deliveries", .admin)
      let log = try JSONValue(json: Array(answer.body.utf8))["deliveries"]?.array ?? []
      if log.count >= count { return log }
      sched_yield()
    }
    Issue.record("the log of \(id) has not \(count) attempts")
    return []
  }

  /// Waits until deliveries know an endpoint.
  func awaitEndpoint(_ id: String) throws {
    for _ in 0..<100_000 {
      if try call("GET /metrics", .read).body.contains(id) { return }
      sched_yield()
    }
    Issue.record("\(id) is not known to deliveries")
  }
}
