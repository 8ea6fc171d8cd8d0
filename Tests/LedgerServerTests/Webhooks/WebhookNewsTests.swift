import AppStoreModel
import AppStoreSimulator
import Glibc
import HTTPListener
import Synchronization
import Testing

@testable import LedgerServer

/// What a backend behind a webhook is told, where such backends go wrong.
struct WebhookNewsTests {
  /// What a receiver read when it asked back.
  private final class Readings: Sendable {
    struct Reading {
      let type: String
      let told: Int64
      let read: Int64
      let isGranted: Bool
    }

    private let all = Mutex<[Reading]>([])

    var readings: [Reading] { all.withLock { $0 } }

    func add(_ reading: Reading) { all.withLock { $0.append(reading) } }
  }

  private func serving(
    _ receiver: TestReceiver, body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger { configuration in
      configuration.webhooks.trustedURLs = [receiver.url]
      configuration.webhooks.timeout = .minutes(2)
    }
    defer {
      receiver.stop()
      served.stop()
    }
    _ = try served.makeWebhook(receiver.url)
    try body(served)
  }

  private func events(_ receiver: TestReceiver, _ count: Int) throws -> [JSONValue] {
    try receiver.wait(for: count).map { try JSONValue(json: $0.body) }
  }

  @Test(.timeLimit(.minutes(5)))
  func `whoever asks back while an event is delivered reads its version and state, or later ones`()
    throws
  {
    let receiver = try TestReceiver()
    try serving(receiver) { served in
      let readings = Readings()
      let (port, key) = (served.service.port, try served.secret(.read))
      receiver.behave { request, _ in
        if let reading = try? Self.askBack(request, port, key) { readings.add(reading) }
        return .status(204)
      }
      var told = 0
      for number in 0..<6 {
        let customer = served.stage.store.enroll("u\(number)")
        let bought = try served.stage.buy(.themes, customer)
        _ = try served.deliver()
        served.stage.wait(.minutes(1))
        try served.stage.refund(bought)
        _ = try served.deliver()
        told += 3
        _ = receiver.wait(for: told)
      }
      // The last answer may still be under way.
      while readings.readings.count < told { sched_yield() }
      #expect(readings.readings.allSatisfy { $0.read >= $0.told })
      let revoked = readings.readings.filter { $0.type == "revoked" }
      #expect(revoked.count == 6 && revoked.allSatisfy { !$0.isGranted })
    }
  }

  private static func askBack(
    _ request: HTTPRequest, _ port: UInt16, _ key: String
  ) throws -> Readings.Reading {
    let event = try JSONValue(json: request.body)
    let customer = try #require(event["customer"]?.string)
    let client = try RawClient(port: port)
    client.send(
      "GET /v1/customers/\(customer)/entitlements HTTP/1.1\r\nHost: x\r\n"
        + "Authorization: Bearer \(key)\r\nContent-Length: 0\r\n\r\n")
    let answer = try JSONValue(json: Array(client.answer().body.utf8))
    let isGranted = answer["entitlements"]?.array?.contains { $0["verdict"]?.string == "granted" }
    return Readings.Reading(
      type: event["type"]?.string ?? "", told: try #require(event["version"]?.integer),
      read: try #require(answer["version"]?.integer), isGranted: isGranted ?? false)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a reversal is told as access and money that return, with the whole new state`() throws {
    let receiver = try TestReceiver()
    try serving(receiver) { served in
      let bought = try served.stage.buy(.themes, served.stage.store.enroll("u"))
      _ = try served.deliver()
      served.stage.wait(.minutes(30))
      try served.stage.refund(bought)
      _ = try served.deliver()
      served.stage.waitDays(20)
      try served.stage.store.reverseRefund(of: bought, at: served.stage.now)
      _ = try served.deliver()
      let events = try events(receiver, 5)
      #expect(
        events.compactMap { $0["type"]?.string }
          == ["granted", "revoked", "refunded", "restored", "refundReversed"])
      let state = events[3]["data"]?["entitlements"]?.array?.first
      #expect(state?["verdict"]?.string == "granted")
      #expect(events[4]["data"]?["refund"]?["stands"] == .bool(false))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `the refund of an earlier period is told although the running one stays`() throws {
    let receiver = try TestReceiver()
    try serving(receiver) { served in
      let customer = served.stage.store.enroll("u")
      let first = try served.stage.buy(.pro, customer)
      _ = try served.deliver()
      served.stage.waitDays(29)
      _ = try served.stage.store.renew(first, at: served.stage.now)
      _ = try served.deliver()
      served.stage.waitDays(5)
      try served.stage.refund(first)
      _ = try served.deliver()
      let pulled = try served.call("GET /v1/events", .read).body
      let all = try JSONValue(json: Array(pulled.utf8))["events"]?.array ?? []
      let events = try events(receiver, all.count)
      let refunded = try #require(events.first { $0["type"]?.string == "refunded" })
      #expect(refunded["data"]?["changesAccess"] == .bool(false))
      #expect(refunded["data"]?["refund"]?["transactionId"]?.string == first)
      #expect(!events.contains { $0["type"]?.string == "revoked" })
      #expect(try served.verdict(customer, SimulatedProduct.pro.id) == "granted")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an older event sent again after a newer one says so by its version and its id`() throws {
    let receiver = try TestReceiver()
    let served = try ServedLedger { $0.webhooks.trustedURLs = [receiver.url] }
    defer {
      receiver.stop()
      served.stop()
    }
    let made = try served.makeWebhook(receiver.url)
    try served.tell(0..<3)
    let fresh = receiver.wait(for: 3)
    let id = try #require(fresh[0].headers["webhook-id"])
    let replayed = try served.call(
      "POST /v1/webhooks/\(made.id)/replay", .admin, body: #"{"event":"\#(id)"}"#)
    #expect(replayed.status == 202)
    let again = try #require(receiver.wait(for: 4).last)
    #expect(again.body == fresh[0].body && again.headers["webhook-id"] == id)
    #expect(try made.verifies(again))
    let versions = try events(receiver, 4).map { $0["version"]?.integer }
    #expect(versions == [1, 2, 3, 1])
  }

}
