import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// Subscriptions of whose end the App Store never tells.
struct SilentEndTests {
  @Test(arguments: [7, 12])
  func `a subscription that renewed and of whose end nothing tells ends by its date, everywhere`(
    renewals: Int
  ) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    let chain = try served.stage.buy(.pro, customer)
    for _ in 0..<renewals { _ = try served.stage.renew(chain) }
    #expect(try served.deliver().allSatisfy { $0 == 200 })
    let pro = SimulatedProduct.pro.id
    #expect(try served.verdict(customer, pro) == "granted")
    try served.stage.waitForEnd(chain)
    // Whatever the store has to say about the end is lost.
    served.moment.set(served.stage.now.adding(.hours(2)))
    #expect(try served.decision(customer, pro)["decision"]?["reason"]?.string == "expired")
    let question = """
      {"customer":"\(customer.appAccountToken ?? "")","entitlement":"\(pro)",\
      "amount":{"milliunits":1,"currency":"USD"}}
      """
    let asked = try served.call("POST /v1/spend/authorizations", .spend, body: question).body
    #expect(asked.contains(#""decision":"deny","reason":"expired""#))
    // The gate brought the answer up to date, and with it the event.
    let events = try served.call("GET /v1/events?types=expired&limit=500", .read).body
    #expect(events.contains(#""type":"expired""#))
    #expect(events.contains(#""causes":[]"#))
  }

  @Test func `an end that was not told is a question to Apple`() throws {
    let served = try ServedLedger { $0.reconciliation.isScheduled = false }
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    let chain = try served.stage.buy(.pro, customer)
    _ = try served.deliver()
    try served.stage.waitForEnd(chain)
    served.moment.set(served.stage.now.adding(.minutes(10)))
    let pro = SimulatedProduct.pro.id
    let provisional = try served.decision(customer, pro)["decision"]
    #expect(provisional?["verdict"]?.string == "granted")
    #expect(provisional?["provisional"] == .bool(true))
    _ = try served.service.ledger.wait {
      served.service.ledger.processDueDeadlines(now: served.moment.get(), completion: $0)
    }
    let concerned = try served.service.ledger.makeReader().read { (recorder) throws(StoreError) in
      try recorder.session.number(
        SQLStatement("SELECT count(*) FROM chain_questions WHERE due_at_ms <= ?"),
        [.moment(served.moment.get())])
    }
    #expect(concerned == 1)
  }
}
