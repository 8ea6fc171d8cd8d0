import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Glibc
import Testing

@testable import LedgerServer

/// The spend gate while the database file is away.
struct DegradedGateTests {
  private let folder: TestFolder
  private var path: String { folder.file("ledger.db") }

  init() throws { folder = try TestFolder() }

  /// A server whose customer `u` has bought themes, and the file away.
  private func cutOff(
    _ answer: Configuration.Spending.Unreachable,
    before: (ServedLedger, String) throws -> Void = { _, _ in }
  ) throws -> (ServedLedger, customer: String) {
    let served = try ServedLedger(database: "sqlite:" + path) { configuration in
      configuration.spending.whenStoreUnreachable = answer
      configuration.spending.degradedBudget = 1_000
    }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    #expect(try served.deliver() == [200])
    _ = try served.secret(.spend)
    _ = try served.secret(.read)
    try before(served, customer.appAccountToken ?? "")
    rename(path, path + ".away")
    return (served, customer.appAccountToken ?? "")
  }

  private static func ask(
    _ served: ServedLedger, _ customer: String, _ microunits: Int64, key: String = "k"
  ) throws -> (status: Int, header: String, body: String) {
    try served.call(
      "POST /v1/spend/authorizations", .spend,
      body: """
        {"customer":"\(customer)","entitlement":"\(SimulatedProduct.themes.id)",\
        "amount":{"microunits":\(microunits),"currency":"USD"}}
        """, fields: "Idempotency-Key: \(key)\r\n")
  }

  @Test func `nothing is allowed unless the configuration says so, and the answer is a plain no`()
    throws
  {
    let (served, customer) = try cutOff(.deny)
    defer { served.stop() }
    let answer = try Self.ask(served, customer, 1)
    #expect(answer.status == 503)
    #expect(answer.body.contains(#""decision":"deny","degraded":true"#))
    #expect(try JSONSchema("problem").findings(in: answer.body) == [])
  }

  @Test func `what is allowed within the budget is marked, and recorded once the store is back`()
    throws
  {
    let (served, customer) = try cutOff(.allow)
    defer { served.stop() }
    let first = try Self.ask(served, customer, 600, key: "a")
    #expect(first.status == 200)
    #expect(first.body.contains(#""decision":"allow","reason":"storeUnreachable""#))
    #expect(first.body.contains(#""degraded":true"#))
    #expect(try JSONSchema("authorization").findings(in: first.body) == [])
    #expect(try Self.ask(served, customer, 600, key: "a").body == first.body)
    #expect(try Self.ask(served, customer, 5, key: "a").status == 409)
    let more = try Self.ask(served, customer, 600, key: "b")
    #expect(more.status == 503)
    #expect(more.body.contains(#""decision":"deny""#))
    let id = try #require(try JSONValue(json: Array(first.body.utf8))["id"]?.string)
    let settle = "POST /v1/spend/authorizations/\(id)/settle"
    let spent = #"{"amount":{"microunits":700,"currency":"USD"}}"#
    #expect(
      try served.call(settle, .spend, body: spent).body.contains(#""state":"settled""#))
    rename(path + ".away", path)
    let list = try Self.records(served)
    #expect(list.contains("\"authorization\":\"\(id)\""))
    #expect(list.contains(#""microunits":700"#))
    #expect(list.contains(#""aboveHold":true"#))
    #expect(list.contains(#""degraded":true"#))
    #expect(try served.call(settle, .spend, body: spent).status == 200)
    #expect(try Self.ask(served, customer, 900, key: "c").body.contains(#""activ"#) == false)
  }

  private static func ask(
    _ served: ServedLedger, _ customer: String, _ kind: String, in unit: String
  ) throws -> (status: Int, code: String?) {
    let answer = try served.call(
      "POST /v1/spend/authorizations", .spend,
      body: """
        {"customer":"\(customer)","entitlement":"\(SimulatedProduct.themes.id)","kind":"\(kind)",\
        "unit":"\(unit)","units":1,"amount":{"microunits":5,"currency":"USD"}}
        """)
    return (answer.status, try JSONValue(json: Array(answer.body.utf8))["code"]?.string)
  }

  @Test
  func `a kind is counted in one unit also then: in the store's, or in the one allowed first`()
    throws
  {
    let (served, customer) = try cutOff(.allow) { (served, customer) throws in
      let status = try Self.ask(served, customer, "gpu", in: "second").status
      #expect(status == 200)
    }
    defer { served.stop() }
    for (kind, unit, status) in [
      ("gpu", "hour", 422), ("gpu", "second", 200), ("fresh", "second", 200),
      ("fresh", "hour", 422),
      ("fresh", "second", 200),
    ] {
      let answer = try Self.ask(served, customer, kind, in: unit)
      #expect(answer.status == status, "\(kind) \(unit)")
      #expect(answer.code == (status == 422 ? "unitMismatch" : nil))
    }
  }

  @Test func `who is known to have nothing is denied also then`() throws {
    let (served, _) = try cutOff(.allow)
    defer { served.stop() }
    let answer = try Self.ask(served, "stranger", 1)
    #expect(answer.status == 200)
    #expect(answer.body.contains(#""decision":"deny","reason":"noFacts""#))
  }

  /// Waits until something was recorded.
  private static func records(_ served: ServedLedger) throws -> String {
    while true {
      let list = try served.call("GET /v1/spend", .read).body
      if list.contains(#""authorization""#) { return list }
      usleep(10_000)
    }
  }
}
