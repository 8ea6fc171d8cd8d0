import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Testing

@testable import LedgerServer

/// What every route answers is as its schema says.
struct AnswerSchemaTests {
  /// A server after a purchase, a device's report, a refund and a link.
  private static func served() throws -> (ServedLedger, customer: String, purchase: String) {
    let served = try ServedLedger { configuration in
      configuration.apps[0].catalog = [
        CatalogEntry(productId: SimulatedProduct.pro.id, entitlements: ["pro"])
      ]
    }
    let customer = served.stage.store.enroll("u", withToken: false)
    let bought = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    _ = try served.call("PUT /v1/customers/u/purchases/\(bought)", .spend)
    served.stage.waitDays(1)
    try served.stage.refund(bought)
    try served.stage.store.requestRefund(of: bought, at: served.stage.now)
    _ = try served.deliver()
    _ = try served.post("a.b.c")
    return (served, "u", bought)
  }

  @Test func `every answer to a question is as its schema says`() throws {
    let (served, customer, _) = try Self.served()
    defer { served.stop() }
    let rows: [(line: String, scope: KeyScope?, schema: JSONSchema, content: String)] = try [
      (
        "/v1/customers/\(customer)/entitlements", .read, JSONSchema("entitlements"),
        "\"entitlements\":[]"
      ),
      ("/v1/customers/\(customer)/entitlements/x", .read, JSONSchema("entitlement"), "\"unknown\""),
      ("/v1/customers/\(customer)/timeline", .read, JSONSchema("timeline"), "\"posting\""),
      ("/v1/customers/\(customer)/timeline?limit=2", .read, JSONSchema("timeline"), "\"next\""),
      ("/v1/events", .read, JSONSchema("events"), "\"netRefundMilliunits\":9990"),
      ("/v1/refunds", .read, JSONSchema("refunds"), "\"customer\":\"u\""),
      ("/v1/refunds?limit=1", .read, JSONSchema("refunds"), "\"next\":"),
      ("/v1/cases", .read, JSONSchema("cases"), "\"state\""),
      ("/v1/cases?limit=1", .read, JSONSchema("cases"), "\"next\""),
      ("/v1/customers/\(customer)/consent", .read, JSONSchema("consent"), "\"consented\":false"),
      ("/v1/alerts", .read, JSONSchema("alerts"), "\"value\":\"com.example.app.themes\""),
      ("/v1/quarantine", .admin, JSONSchema("quarantine"), "form.base64url"),
      ("/v1/apps", .read, JSONSchema("apps"), "com.example.app"),
      ("/v1/apps/com.example.app", .read, JSONSchema("app"), "com.example.app"),
      (
        "/v1/apps/com.example.app/products/\(SimulatedProduct.pro.id)", .read,
        JSONSchema("product"), "\"entitlements\":[\"pro\"]"
      ),
      ("/readyz", nil, JSONSchema("readiness"), "\"ready\":true"),
      ("/v1/nothing", .read, JSONSchema("problem"), "unknownRoute"),
      ("/v1/events?after=x", .read, JSONSchema("problem"), "badParameter"),
      ("/v1/events?app=com.other", .read, JSONSchema("problem"), "appForbidden"),
    ]
    for row in rows {
      let answer = try served.call("GET " + row.line, row.scope)
      #expect(answer.body.contains(row.content), "\(row.line)")
      #expect(try row.schema.findings(in: answer.body) == [], "\(row.line)")
    }
  }

  @Test func `every answer to a change is as its schema says`() throws {
    let (served, customer, purchase) = try Self.served()
    defer { served.stop() }
    let question = """
      {"customer":"\(customer)","entitlement":"x","amount":{"milliunits":1,"currency":"USD"}}
      """
    let path = "/v1/customers/\(customer)/purchases/\(purchase)"
    let rows: [(line: String, scope: KeyScope, body: String, schema: JSONSchema)] = try [
      ("POST /v1/spend/authorizations", .spend, question, JSONSchema("authorization")),
      (
        "POST /v1/transactions", .device, #"{"signedTransactions":["a.b.c"]}"#, JSONSchema("report")
      ),
      (
        "POST /v1/transactions", .spend, #"{"signedTransactions":["a.b.c"],"customer":5}"#,
        JSONSchema("problem")
      ),
      ("PUT \(path)", .spend, "", JSONSchema("changed")),
      ("PUT /v1/customers/x/consent", .spend, #"{"consented":true}"#, JSONSchema("changed")),
      (
        "PUT /v1/customers/x/token", .spend,
        #"{"appAccountToken":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}"#, JSONSchema("changed")
      ),
      ("DELETE \(path)?reason=x", .admin, "", JSONSchema("changed")),
      ("POST \(path)/transfer", .admin, #"{"reason":"x"}"#, JSONSchema("changed")),
      ("POST \(path)/transfer", .admin, "", JSONSchema("problem")),
    ]
    for row in rows {
      let answer = try served.call(row.line, row.scope, body: row.body)
      #expect(try row.schema.findings(in: answer.body) == [], "\(row.line)")
    }
  }

  @Test func `an allowed hold and its settlement are as their schema says`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    let question = """
      {"customer":"\(customer.appAccountToken ?? "")","entitlement":"\(SimulatedProduct.themes.id)",\
      "amount":{"milliunits":5,"currency":"USD"}}
      """
    let path = "POST /v1/spend/authorizations"
    let held = try served.call(path, .spend, body: question).body
    let id = try #require(JSONValue(json: Array(held.utf8))["id"]?.string)
    let settled = try served.call(
      "\(path)/\(id)/settle", .spend, body: #"{"amount":{"milliunits":7,"currency":"USD"}}"#
    ).body
    #expect(settled.contains("\"aboveHold\":true"))
    for answer in [held, settled] {
      #expect(try JSONSchema("authorization").findings(in: answer) == [])
    }
  }

  @Test func `refunds are listed as comma-separated values, page by page`() throws {
    let (served, _, purchase) = try Self.served()
    defer { served.stop() }
    let answer = try served.call("GET /v1/refunds?format=csv&limit=1", .read)
    let refundedAt = served.stage.now.millisecondsSince1970
    #expect(
      answer.body == """
        originalTransactionId,customer,transactionId,productId,refundedAtMs,revocationClass,\
        revokedPercentMilliunits,stands,netRefundMilliunits,currency\r
        \(purchase),u,\(purchase),com.example.app.themes,\(refundedAt),fullRefund,100000,true,9990,\
        USD\r\n
        """)
    #expect(answer.header.contains("</v1/refunds?app=com.example.app&format=csv&limit=1&after=1>"))
    let last = try served.call("GET /v1/refunds?after=1", .read, fields: "Accept: text/csv\r\n")
    #expect(last.body.split(separator: "\r\n").count == 1)
    #expect(try served.call("GET /v1/refunds?format=xml", .read).status == 400)
    #expect(try served.call("GET /v1/refunds", .read, .production).body == #"{"refunds":[]}"#)
  }
}
