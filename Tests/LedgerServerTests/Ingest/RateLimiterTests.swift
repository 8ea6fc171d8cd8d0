import AppStoreModel
import AppStoreSimulator
import HTTPListener
import Testing

@testable import LedgerServer

/// How often one sender may ask.
struct RateLimiterTests {
  private static let minute = Timestamp(millisecondsSince1970: 1_790_000_040_000)

  @Test func `a sender has so many in a minute, and as many in the next`() {
    let limiter = RateLimiter(perMinute: 2)
    func asks(_ sender: String, _ milliseconds: Int64) -> Bool {
      limiter.admits(sender, at: Self.minute.adding(TimeSpan(milliseconds: milliseconds)))
    }
    #expect([asks("a", 0), asks("a", 1), asks("a", 59_999)] == [true, true, false])
    #expect([asks("b", 2), asks("b", 3), asks("b", 4)] == [true, true, false])
    #expect([asks("a", 60_000), asks("a", 60_001), asks("a", 60_002)] == [true, true, false])
  }

  @Test func `more senders than are remembered share one count`() {
    let limiter = RateLimiter(perMinute: 1)
    for number in 0..<100_000 {
      #expect(limiter.admits(String(number), at: Self.minute), "\(number)")
    }
    #expect(limiter.admits("one more", at: Self.minute))
    #expect(!limiter.admits("and another", at: Self.minute))
  }

  private func serving(
    _ limits: @escaping (inout Limits) -> Void, _ body: (ServedLedger, String) throws -> Void
  ) throws {
    let served = try ServedLedger { limits(&$0.limits) }
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    served.moment.set(served.stage.now)
    let copy = try #require(served.deviceCopies(of: customer).first)
    try body(served, "{\"signedTransactions\":[\"\(copy)\"]}")
  }

  private static let path = "POST /v1/transactions"

  @Test func `a device key is limited by its address, and a backend is not`() throws {
    try serving({ $0.deviceRequestsPerMinute = 2 }) { served, body in
      #expect(try served.call(Self.path, .device, body: body).status == 200)
      #expect(try served.call(Self.path, .device, body: body).status == 200)
      let refused = try served.call(Self.path, .device, body: body)
      #expect(refused.status == 429)
      #expect(refused.body.contains(#""code":"rateLimited""#))
      #expect(refused.header.contains("\r\nRetry-After: 60\r\n"))
      #expect(try served.call(Self.path, .device, body: body, from: "127.0.0.2").status == 200)
      for _ in 0..<3 { #expect(try served.call(Self.path, .spend, body: body).status == 200) }
      served.moment.set(served.moment.get().adding(.minutes(1)))
      #expect(try served.call(Self.path, .device, body: body).status == 200)
    }
  }

  @Test func `an app transaction is limited wherever it comes from`() throws {
    let adapt: (inout Limits) -> Void = {
      $0.deviceRequestsPerMinute = 3
      $0.deviceItems = 1
    }
    try serving(adapt) { served, body in
      var results: [String] = []
      for host in 1...4 {
        results.append(
          try served.call(Self.path, .device, body: body, from: "127.0.0.\(host)").body)
      }
      #expect(results[0] == #"{"results":[{"result":"stored"}]}"#)
      #expect(results[1] == #"{"results":[{"result":"repeated"}]}"#)
      #expect(results[3] == #"{"results":[{"result":"refused","reason":"rateLimited"}]}"#)
      let other = served.stage.store.enroll("v")
      _ = try served.stage.buy(.themes, other)
      let copy = try #require(served.deviceCopies(of: other).first)
      let fresh = try served.call(
        Self.path, .device, body: "{\"signedTransactions\":[\"\(copy)\"]}", from: "127.0.0.5")
      #expect(fresh.body == #"{"results":[{"result":"stored"}]}"#)
    }
  }

  @Test func `unknown chains are limited, and known ones still taken`() throws {
    try serving({ $0.unknownChainsPerMinute = 2 }) { served, _ in
      let stranger = try ServedLedger(seed: 2)
      defer { stranger.stop() }
      let foreign = stranger.stage.store.enroll("u")
      _ = try stranger.stage.buy(.themes, foreign)
      let forged = try #require(stranger.deviceCopies(of: foreign).first)
      #expect(try served.deliver() == [200])
      #expect(try served.post(forged) == 400)
      #expect(try served.post(forged) == 429)
      #expect(try served.deliverAgain() == [200])
    }
  }
}
