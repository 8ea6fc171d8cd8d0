import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Glibc
import LedgerStorage
import Testing

@testable import LedgerServer

/// The spend gate over a store that does not fail but hangs.
struct HangingStoreTests {
  fileprivate final class Site {
    let served: ServedLedger
    let store: BlockableStore
    let customer: String

    init(_ answer: Configuration.Spending.Unreachable) throws {
      served = try ServedLedger(isBlockable: true) { configuration in
        configuration.spending.whenStoreUnreachable = answer
        configuration.spending.degradedBudget = 1_000
        configuration.spending.storeTimeout = TimeSpan(milliseconds: 50)
        configuration.reconciliation.isScheduled = false
      }
      store = try #require(served.blockable)
      let buyer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, buyer)
      #expect(try served.deliver() == [200])
      _ = try served.secret(.spend)
      _ = try served.secret(.read)
      customer = buyer.appAccountToken ?? ""
    }

    func ask(key: String? = nil) throws -> (status: Int, header: String, body: String) {
      try served.call(
        "POST /v1/spend/authorizations", .spend,
        body: """
          {"customer":"\(customer)","entitlement":"\(SimulatedProduct.themes.id)",\
          "amount":{"microunits":600,"currency":"USD"}}
          """, fields: key.map { "Idempotency-Key: \($0)\r\n" } ?? "")
    }

    /// How many holds are open in the store.
    func openHolds() throws -> Int64 {
      let statement = SQLStatement("SELECT count(*) FROM authorizations WHERE state = 'open'")
      return try served.service.ledger.makeReader().read { (recorder) throws(StoreError) in
        try recorder.session.number(statement, []) ?? 0
      }
    }

    /// Lets the store go on, and waits until the gate has heard of it.
    func release() throws {
      store.release()
      while try served.call("GET /readyz").status != 200 { usleep(1_000) }
    }

    func waitForHolds(_ count: Int64) throws {
      while try openHolds() != count { usleep(1_000) }
    }
  }

  @Test
  func
    `a store that hangs is answered for in bounded time, at once after that, and until it is back`()
    throws
  {
    let site = try Site(.deny)
    defer { site.served.stop() }
    site.store.block(.before)
    for _ in 0..<3 {
      let answer = try site.ask()
      #expect(answer.status == 503)
      #expect(answer.body.contains(#""decision":"deny","degraded":true"#))
      #expect(try site.served.call("GET /readyz").status == 503)
    }
    try site.release()
    #expect(try site.ask().body.contains(#""decision":"allow""#))
    // What was given up is not reserved as well.
    #expect(try site.openHolds() == 1)
  }

  @Test func `within the budget it is allowed, and recorded once the store goes on`() throws {
    let site = try Site(.allow)
    defer { site.served.stop() }
    site.store.block(.after)
    let first = try site.ask()
    #expect(first.body.contains(#""decision":"allow","reason":"storeUnreachable""#))
    #expect(first.body.contains(#""degraded":true"#))
    #expect(try site.ask().body.contains(#""decision":"deny""#))
    try site.release()
    // The hold that was written all the same is given back; the one that was allowed takes its place.
    let id = try #require(try JSONValue(json: Array(first.body.utf8))["id"]?.string)
    while try !site.isRecorded(id) { usleep(1_000) }
    try site.waitForHolds(1)
    #expect(
      try site.served.call("GET /v1/spend/authorizations/\(id)", .read).body.contains(
        #""degraded":true"#))
    #expect(try site.ask().body.contains(#""decision":"allow","reason":"activ"#) == false)
  }

  @Test func `who was refused and asks again with the same key gets the hold that was written`()
    throws
  {
    let site = try Site(.deny)
    defer { site.served.stop() }
    site.store.block(.after)
    #expect(try site.ask(key: "k").status == 503)
    try site.release()
    let again = try site.ask(key: "k")
    #expect(again.body.contains(#""decision":"allow""#))
    #expect(try site.openHolds() == 1)
  }

  @Test func `settling is answered in bounded time, and asking again does it once`() throws {
    let site = try Site(.deny)
    defer { site.served.stop() }
    let held = try JSONValue(json: Array(try site.ask().body.utf8))
    let id = try #require(held["id"]?.string)
    site.store.block(.after)
    let line = "POST /v1/spend/authorizations/\(id)/settle"
    let body = #"{"amount":{"microunits":500,"currency":"USD"}}"#
    let late = try site.served.call(line, .spend, body: body)
    #expect(late.status == 503)
    #expect(late.body.contains("storeUnavailable"))
    try site.release()
    #expect(try site.served.call(line, .spend, body: body).body.contains(#""state":"settled""#))
    let spends = try site.served.call("GET /v1/spend", .read).body
    #expect(spends.split(separator: #""authorization":"#).count == 2)
  }
}

extension HangingStoreTests.Site {
  fileprivate func isRecorded(_ id: String) throws -> Bool {
    let statement = SQLStatement("SELECT count(*) FROM authorizations WHERE name = ?")
    return try served.service.ledger.makeReader().read { (recorder) throws(StoreError) in
      try recorder.session.number(statement, [.text(id)]) == 1
    }
  }
}
