import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Testing

@testable import LedgerServer

/// Spend, credits, running costs and payouts over HTTP.
struct SpendRoutesTests {
  /// A server whose customer `user` owns 150 coins and themes.
  private static func served(
    _ environment: AppStoreEnvironment = .sandbox,
    configured: (inout Configuration) -> Void = { _ in }
  ) throws -> (ServedLedger, bought: String) {
    let served = try ServedLedger(environment: environment) { configuration in
      configuration.apps[0].catalog = [
        CatalogEntry(
          productId: SimulatedProduct.coins.id, entitlements: [], creditsPerUnit: 50,
          creditUnit: "coins"),
        CatalogEntry(productId: SimulatedProduct.themes.id, entitlements: ["themes"]),
      ]
      configured(&configuration)
    }
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.coins, customer, quantity: 3)
    _ = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    let body = "{\"appAccountToken\":\"\(customer.appAccountToken ?? "")\"}"
    _ = try served.call("PUT /v1/customers/user/token", .spend, environment, body: body)
    return (served, bought)
  }

  private static func ask(
    _ rest: String, holdSeconds: Int? = nil, microunits: Int64 = 5
  ) -> String {
    let hold = holdSeconds.map { ",\"holdSeconds\":\($0)" } ?? ""
    return """
      {"customer":"user",\(rest),"amount":{"microunits":\(microunits),"currency":"USD"}\(hold)}
      """
  }

  private static let coins = #""credits":{"unit":"coins","amount":30}"#
  private static let gpu = #""kind":"gpu","unit":"second","units":12"#

  @Test func `a hold of credits is settled, and the balance shows every credit`() throws {
    let (served, bought) = try Self.served()
    defer { served.stop() }
    let path = "POST /v1/spend/authorizations"
    let hold = try served.call(
      path, .spend, body: Self.ask("\(Self.coins),\(Self.gpu)", microunits: 1_234))
    #expect(try JSONSchema("authorization").findings(in: hold.body) == [])
    let json = try JSONValue(json: Array(hold.body.utf8))
    #expect(json["decision"]?.string == "allow")
    #expect(json["transactionId"]?.string == bought)
    let id = try #require(json["id"]?.string)
    let settled = try served.call(
      "\(path)/\(id)/settle", .spend,
      body: #"{"amount":{"microunits":999,"currency":"USD"},"credits":20}"#)
    #expect(try JSONSchema("authorization").findings(in: settled.body) == [])
    #expect(settled.body.contains(#""aboveHold":false"#))
    let balances = try served.call("GET /v1/customers/user/balances", .read)
    #expect(try JSONSchema("balances").findings(in: balances.body) == [])
    #expect(balances.body.contains(#""unit":"coins","balance":130,"available":130,"held":0"#))
    let list = try served.call("GET /v1/spend", .read)
    #expect(try JSONSchema("spends").findings(in: list.body) == [])
    #expect(list.body.contains(#""kind":"gpu","unit":"second","units":12"#))
    let csv = try served.call("GET /v1/spend?format=csv&customer=user", .read)
    #expect(csv.body.contains(",gpu,second,12,999,USD,coins,20,"))
    let found = try served.call("GET /v1/spend/authorizations/\(id)", .read)
    #expect(found.body.contains(#""state":"settled""#))
    #expect(try served.call("GET /v1/spend/authorizations/x", .read).status == 404)
    served.stage.waitDays(1)
    try served.stage.refund(bought)
    _ = try served.deliver()
    let events = try served.call("GET /v1/events", .read)
    #expect(events.body.contains(#""type":"balanceChanged""#))
    #expect(try JSONSchema("events").findings(in: events.body) == [])
  }

  @Test func `settling states when it was spent, and not a moment to come`() throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let path = "POST /v1/spend/authorizations"
    let hold = try served.call(path, .spend, body: Self.ask(Self.coins))
    let json = try JSONValue(json: Array(hold.body.utf8))
    let id = try #require(json["id"]?.string)
    let decided = try #require(json["decidedAtMs"]?.integer)
    func settle(_ moment: Int64) throws -> (status: Int, header: String, body: String) {
      try served.call(
        "\(path)/\(id)/settle", .spend,
        body: #"{"amount":{"microunits":5,"currency":"USD"},"spentAtMs":\#(moment)}"#)
    }
    for moment in [-1, decided + 3_600_000] {
      let refused = try settle(moment)
      #expect(refused.status == 400)
      #expect(refused.body.contains("spentAtMs is a moment in milliseconds since 1970"))
    }
    #expect(try settle(decided).status == 200)
    let list = try served.call("GET /v1/spend", .read)
    #expect(list.body.contains("\"spentAtMs\":\(decided)"))
  }

  @Test func `a batch is recorded whole or not at all, and once under one key`() throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let item = Self.ask("\(Self.coins),\(Self.gpu)")
    let path = "POST /v1/spend"
    let bad = try served.call(path, .spend, body: "[\(item),{\"customer\":\"user\"}]")
    #expect(bad.status == 400)
    #expect(bad.body.contains("Item 1: "))
    let minutes = Self.ask(#""entitlement":"themes","kind":"gpu","unit":"minute","units":1"#)
    let mixed = try served.call(path, .spend, body: "[\(item),\(minutes)]")
    #expect(mixed.status == 422)
    #expect(mixed.body.contains("Item 1: its kind is counted in second."))
    let key = "Idempotency-Key: batch\r\n"
    let done = try served.call(path, .spend, body: "[\(item),\(item)]", fields: key)
    #expect(done.status == 200)
    #expect(try JSONSchema("spends").findings(in: done.body) == [])
    let again = try served.call(path, .spend, body: "[\(item),\(item)]", fields: key)
    #expect(again.body == done.body)
    #expect(try served.call(path, .spend, body: "[\(item)]", fields: key).status == 409)
    let balances = try served.call("GET /v1/customers/user/balances", .read)
    #expect(balances.body.contains(#""balance":90"#))
  }

  @Test func `the same key on another path, or with another body, is a conflict`() throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let key = "Idempotency-Key: k\r\n"
    let path = "POST /v1/spend/authorizations"
    let hold = try served.call(path, .spend, body: Self.ask(Self.coins), fields: key)
    let id = try #require(try JSONValue(json: Array(hold.body.utf8))["id"]?.string)
    let spent = #"{"amount":{"microunits":5,"currency":"USD"}}"#
    #expect(
      try served.call("\(path)/\(id)/settle", .spend, body: spent, fields: key).status == 409)
    let other = "Idempotency-Key: s\r\n"
    let settled = try served.call("\(path)/\(id)/settle", .spend, body: spent, fields: other)
    #expect(settled.status == 200)
    #expect(
      try served.call("\(path)/\(id)/settle", .spend, body: spent, fields: other).body
        == settled.body)
    #expect(try served.call("\(path)/\(id)/release", .spend, fields: other).status == 409)
    #expect(
      try served.call(path, .spend, body: Self.ask(Self.coins, holdSeconds: 5), fields: key).status
        == 409)
  }

  @Test func `sandbox spend has a budget of its own, and production has none`() throws {
    for environment in [AppStoreEnvironment.sandbox, .production] {
      let (served, _) = try Self.served(environment) { $0.spending.sandboxBudget = 1_000 }
      defer { served.stop() }
      let path = "POST /v1/spend/authorizations"
      let body = Self.ask(#""entitlement":"themes""#, microunits: 600)
      let first = try served.call(path, .spend, environment, body: body)
      #expect(first.body.contains(#""decision":"allow""#))
      let second = try served.call(path, .spend, environment, body: body)
      let isSandbox = environment == .sandbox
      #expect(second.body.contains(#""reason":"sandboxBudget""#) == isSandbox)
    }
  }

  @Test func `a sandbox purchase pays for nothing in production`() throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let answer = try served.call(
      "POST /v1/spend/authorizations", .spend, .production,
      body: Self.ask(#""entitlement":"themes""#))
    #expect(answer.body.contains(#""decision":"deny","reason":"noFacts""#))
  }

  @Test func `a customer holds only so much at once, and only so long`() throws {
    let (served, _) = try Self.served { configuration in
      configuration.spending.openHoldsPerCustomer = 1
      configuration.spending.greatestHoldLength = .seconds(60)
      configuration.spending.holdLength = .seconds(30)
    }
    defer { served.stop() }
    let path = "POST /v1/spend/authorizations"
    let themes = #""entitlement":"themes""#
    #expect(try served.call(path, .spend, body: Self.ask(themes, holdSeconds: 61)).status == 400)
    let first = try served.call(path, .spend, body: Self.ask(themes))
    let lapse = ServedLedger.start.millisecondsSince1970
    #expect(first.body.contains(#""decision":"allow""#))
    #expect(first.body.contains("\"lapsesAtMs\":") && lapse > 0)
    #expect(
      try served.call(path, .spend, body: Self.ask(themes)).body.contains(
        #""reason":"tooManyHolds""#))
  }

  @Test(arguments: [
    #"{"customer":"user","amount":{"microunits":1,"currency":"USD"}}"#,
    #"{"customer":"user","entitlement":"x","amount":{"microunits":1,"milliunits":1,"currency":"USD"}}"#,
    #"{"customer":"user","entitlement":"x","kind":"gpu","amount":{"microunits":1,"currency":"USD"}}"#,
    #"{"customer":"user","credits":{"unit":"coins","amount":-1},"amount":{"microunits":1,"currency":"USD"}}"#,
    #"{"customer":"user","credits":{"amount":1},"amount":{"microunits":1,"currency":"USD"}}"#,
  ])
  func `a question that can be read in two ways is refused`(body: String) throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let answer = try served.call("POST /v1/spend/authorizations", .spend, body: body)
    #expect(answer.status == 400)
    #expect(answer.body.contains("malformedBody"))
  }

  @Test func `a question without a cost is told that it lacks one`() throws {
    let (served, _) = try Self.served()
    defer { served.stop() }
    let answer = try served.call(
      "POST /v1/spend/authorizations", .spend, body: #"{"customer":"user","entitlement":"x"}"#)
    #expect(answer.status == 400)
    #expect(answer.body.contains("amount is missing: what it costs"))
  }

  @Test func `running costs and payouts are stated, listed, and ended`() throws {
    let (served, bought) = try Self.served()
    defer { served.stop() }
    let path = "/v1/customers/user/running-costs"
    let body = """
      {"entitlement":"themes","kind":"storage","unit":"byte","units":9,"periodSeconds":3600,\
      "amount":{"microunits":5,"currency":"USD"},"onRevocation":"flag"}
      """
    let runs = try served.call("PUT \(path)/disk", .spend, body: body)
    #expect(try JSONSchema("running-cost").findings(in: runs.body) == [])
    let other = body.split(separator: "flag").joined(separator: "stop")
    #expect(try served.call("PUT \(path)/disk", .spend, body: other).status == 409)
    let list = try served.call("GET \(path)", .read)
    #expect(try JSONSchema("running-costs").findings(in: list.body) == [])
    #expect(
      try served.call("DELETE \(path)/disk", .spend).body.contains(#""state":"ended""#))
    #expect(try served.call("DELETE \(path)/none", .spend).status == 404)
    let payout = """
      {"originalTransactionId":"\(bought)","payee":"creator",\
      "amount":{"milliunits":2,"currency":"USD"}}
      """
    let stated = try served.call("PUT /v1/payouts/p1", .spend, body: payout)
    #expect(try JSONSchema("payout").findings(in: stated.body) == [])
    #expect(stated.body.contains(#""state":"held""#))
    #expect(try served.call("POST /v1/payouts/p1/paid", .spend).status == 409)
    #expect(try served.call("POST /v1/payouts/p2/paid", .spend).status == 404)
    let payouts = try served.call("GET /v1/payouts?state=held", .read)
    #expect(try JSONSchema("payouts").findings(in: payouts.body) == [])
    #expect(payouts.body.contains(#""id":"p1""#))
    #expect(try served.call("GET /v1/payouts?format=csv", .read).body.contains("p1,held,user"))
  }
}
