import AppStoreModel
import Glibc
import HTTPListener
import LedgerStorage
import Testing

@testable import LedgerServer

/// Receivers that take no end, far more of them than the server has threads.
struct StuckReceiverTests {
  /// Endpoints of each kind that is bad in its own way; the server has one thread for all requests.
  private static let each = 20

  @Test(.timeLimit(.minutes(10)))
  func `eighty hanging, dripping, deaf and dead receivers delay nobody else`() throws {
    let hanging = try TestReceiver { _, _ in .silence }
    let dripping = try DrippingReceiver()
    let deaf = try BlackHole()
    let gone = try TestReceiver()
    let dead = gone.url
    gone.stop()
    let good = try (0..<3).map { _ in try TestReceiver() }
    let bad = (0..<Self.each).flatMap { number in
      [hanging.url, dripping.url, deaf.url, dead].map { "\($0)?\(number)" }
    }
    let served = try ServedLedger { configuration in
      configuration.webhooks.trustedURLs = Set(bad + good.map(\.url))
      // Whoever waited for one of them would wait longer than the test may take.
      configuration.webhooks.timeout = .hours(1)
      configuration.webhooks.connectTimeout = .hours(1)
    }
    let stuck = try bad.map { try served.makeWebhook($0).id }
    for receiver in good { _ = try served.makeWebhook(receiver.url) }
    let customers = ["ada", "ben", "cleo"]
    for round in 0..<20 {
      for name in customers { try served.tell(round..<(round + 1), of: name) }
    }
    for receiver in good {
      let versions = try receiver.wait(for: 60).map { request in
        let event = try JSONValue(json: request.body)
        return (event["customer"]?.string, event["version"]?.integer)
      }
      for name in customers {
        #expect(versions.filter { $0.0 == name }.map(\.1) == (1...20).map { Int64($0) })
      }
    }
    for (place, id) in stuck.enumerated() where place % 4 < 3 {
      #expect(try served.attempts(of: id) == [], "nobody answered \(bad[place])")
    }
    // A customer's later events wait behind the first, so each holds at most one request a customer.
    #expect(hanging.requests.count <= Self.each * customers.count)
    #expect(dripping.connections <= Self.each * customers.count)
    served.stop()
    hanging.stop()
    dripping.stop()
    for receiver in good { receiver.stop() }
  }
}

extension ServedLedger {
  /// The log of an endpoint, the latest first.
  fileprivate func attempts(of id: String) throws -> [JSONValue] {
    let answer = try call("GET /v1/webhooks/\(id)/deliveries", .admin)
    return try JSONValue(json: Array(answer.body.utf8))["deliveries"]?.array ?? []
  }
}
