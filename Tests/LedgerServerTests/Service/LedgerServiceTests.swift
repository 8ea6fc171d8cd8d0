import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

struct LedgerServiceTests {
  private func serving(
    _ configured: (inout Configuration) -> Void = { _ in },
    _ body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger(configured: configured)
    defer { served.stop() }
    try body(served)
  }

  @Test func `a refund closes an entitlement, its reversal opens it, repeats change nothing`()
    throws
  {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(.themes, customer)
      #expect(try served.deliver() == [200])
      #expect(try served.verdict(customer, "other") == "unknown")
      let id = SimulatedProduct.themes.id
      #expect(try served.verdict(customer, id) == "granted")
      served.stage.waitDays(1)
      try served.stage.refund(bought)
      #expect(try served.deliver().allSatisfy { $0 == 200 })
      #expect(try served.verdict(customer, id) == "denied")
      let version = try served.decision(customer, id)["version"]
      #expect(try served.deliverAgain().allSatisfy { $0 == 200 })
      #expect(try served.decision(customer, id)["version"] == version)
      served.stage.waitDays(1)
      try served.stage.store.reverseRefund(of: bought, at: served.stage.now)
      #expect(try served.deliver().allSatisfy { $0 == 200 })
      #expect(try served.verdict(customer, id) == "granted")
    }
  }

  @Test func `the spend gate closes with a refund and a hold is revoked with it`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      let question = """
        {"customer":"\(customer.appAccountToken ?? "")","entitlement":"\(SimulatedProduct.themes.id)",\
        "amount":{"milliunits":1500,"currency":"USD"}}
        """
      let path = "POST /v1/spend/authorizations"
      let first = try served.call(
        path, .spend, body: question, fields: "Idempotency-Key: a\r\n")
      let authorization = try JSONValue(json: Array(first.body.utf8))
      #expect(authorization["decision"]?.string == "allow")
      let again = try served.call(path, .spend, body: question, fields: "Idempotency-Key: a\r\n")
      #expect(again.body == first.body)
      let other = try served.call(
        path, .spend, body: question + " ", fields: "Idempotency-Key: a\r\n")
      #expect(other.status == 409)
      served.stage.waitDays(1)
      try served.stage.refund(bought)
      _ = try served.deliver()
      let denied = try served.call(path, .spend, body: question)
      #expect(denied.body.contains(#""decision":"deny","reason":"refunded""#))
      let id = try #require(authorization["id"]?.string)
      let settled = try served.call(
        "\(path)/\(id)/settle", .spend,
        body: #"{"amount":{"milliunits":1500,"currency":"USD"}}"#)
      #expect(settled.body.contains(#""late":"ignored""#))
      let foreign = try served.call("\(path)/\(id)/release", .spend, .production)
      #expect(foreign.status == 404)
    }
  }

  @Test func `a production key sees nothing of sandbox`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      let path = "GET /v1/customers/\(customer.appAccountToken ?? "")/entitlements"
      let sandbox = try served.call(path, .read)
      let production = try served.call(path, .read, .production)
      #expect(sandbox.body.contains("granted"))
      #expect(production.body.contains(#""entitlements":[]"#))
    }
  }

  @Test func `what is forged is refused, and what is for another app is kept`() throws {
    try serving { served in
      #expect(try served.post("a.b.c") == 400)
      let stranger = try ServedLedger(seed: 2)
      defer { stranger.stop() }
      let customer = stranger.stage.store.enroll("u")
      _ = try stranger.stage.buy(.themes, customer)
      let forged = try #require(stranger.deviceCopies(of: customer).first)
      #expect(try served.post(forged) == 400)
      let quarantine = try served.call("GET /v1/quarantine", .admin)
      #expect(quarantine.body.contains("chain.path"))
    }
    try serving({ $0.apps = [.init(bundleId: "com.other", appAppleId: 5)] }) { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      #expect(try served.deliver() == [403])
      let ready = try served.call("GET /readyz")
      #expect(ready.body.contains("configurationRefuses"))
    }
  }

  @Test func `an expiry gives its event without a fact`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let chain = try served.stage.buy(.pro, customer)
      _ = try served.deliver()
      try served.stage.waitForEnd(chain)
      served.stage.waitDays(3)
      served.moment.set(served.stage.now)
      var events = ""
      for _ in 0..<2_000 where !events.contains("expired") {
        events = try served.call("GET /v1/events", .read).body
      }
      #expect(events.contains("\"type\":\"expired\""))
    }
  }

  @Test func `a device is told what became of its report and nothing of customers`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      served.moment.set(served.stage.now)
      let copy = try #require(served.deviceCopies(of: customer).first)
      let body = "{\"signedTransactions\":[\"\(copy)\",\"a.b.c\"]}"
      let first = try served.call("POST /v1/transactions", .device, body: body)
      #expect(
        first.body == """
          {"results":[{"result":"stored"},{"result":"refused","reason":"form.base64url"}]}
          """)
      let again = try served.call("POST /v1/transactions", .device, body: body)
      #expect(again.body.contains(#"{"result":"repeated"}"#))
      let linking = try served.call(
        "POST /v1/transactions", .device,
        body: "{\"signedTransactions\":[\"\(copy)\"],\"customer\":\"u\"}")
      #expect(linking.status == 403)
      let foreign = try served.call("POST /v1/transactions", .device, .production, body: body)
      #expect(foreign.body.contains("environmentForbidden"))
    }
  }

  @Test func `a link, an unlink and a transfer move a purchase`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u", withToken: false)
      let bought = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      let id = SimulatedProduct.themes.id
      let linked = try served.call("PUT /v1/customers/u/purchases/\(bought)", .spend)
      #expect(linked.body == #"{"changed":true}"#)
      #expect(try served.verdict(customer, id) == "granted")
      let taken = try served.call("PUT /v1/customers/v/purchases/\(bought)", .spend)
      #expect(taken.status == 409)
      let unexplained = try served.call(
        "POST /v1/customers/v/purchases/\(bought)/transfer", .admin)
      #expect(unexplained.status == 400)
      let moved = try served.call(
        "POST /v1/customers/v/purchases/\(bought)/transfer", .admin,
        body: #"{"reason":"asked by mail"}"#)
      #expect(moved.status == 200)
      #expect(try served.verdict(customer, id) != "granted")
      let unknown = try served.call("PUT /v1/customers/u/purchases/none", .spend)
      #expect(unknown.status == 404)
      let timeline = try served.call("GET /v1/customers/v/timeline", .read)
      #expect(timeline.body.contains("asked by mail"))
      #expect(timeline.body.contains(#""notificationType":"ONE_TIME_CHARGE""#))
    }
  }

  @Test func `an unchanged answer is not sent again`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      let path = "GET /v1/customers/\(customer.appAccountToken ?? "")/entitlements"
      let first = try served.call(path, .read)
      let line = first.header.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
      let tag = try #require(line).dropFirst(6)
      let second = try served.call(path, .read, fields: "If-None-Match: \(tag)\r\n")
      #expect(second.status == 304)
    }
  }

  @Test(
    arguments: [
      ("GET /healthz", nil, 200, "ok"),
      ("GET /readyz", nil, 200, "\"ready\":true"),
      ("GET /metrics", .read, 200, "clawback_facts 0"),
      ("GET /metrics", nil, 401, "unauthenticated"),
      ("GET /openapi.json", .read, 200, "/v1/spend/authorizations/{id}/settle"),
      ("GET /v1/apps", .read, 200, "com.example.app"),
      ("GET /v1/apps/com.example.app", .read, 200, "1234567890"),
      ("GET /v1/apps/com.other", .read, 403, "appForbidden"),
      ("GET /v1/apps/com.example.app/products/x", .read, 404, "unknownProduct"),
      ("GET /v1/customers/u/timeline?after=x", .read, 400, "badParameter"),
      ("POST /apple/notifications", nil, 400, "malformedBody"),
      ("POST /v1/transactions", .device, 400, "malformedBody"),
      ("POST /v1/spend/authorizations", .spend, 400, "malformedBody"),
      ("POST /v1/spend/authorizations", .read, 403, "scopeMissing"),
    ] as [(String, KeyScope?, Int, String)])
  func `a route answers`(line: String, scope: KeyScope?, status: Int, content: String) throws {
    try serving { served in
      let answer = try served.call(line, scope, body: "{}")
      #expect(answer.status == status)
      #expect(answer.body.contains(content))
    }
  }

  @Test func `a public address without TLS is refused unless it is meant`() {
    #expect(throws: ServiceError.self) {
      try ServedLedger { $0.listener.host = "0.0.0.0" }.stop()
    }
    #expect(throws: ServiceError.self) {
      try ServedLedger { $0.listener.host = "localhost" }.stop()
    }
    #expect(throws: Never.self) {
      try ServedLedger {
        $0.listener.host = "0.0.0.0"
        $0.listener.allowsPlainPublic = true
      }.stop()
    }
  }

  @Test func `the template is a configuration`() throws {
    let template = ConfigurationTemplate(
      bundleId: "com.example.app", appAppleId: 7, root: "apple", database: "sqlite:a.db")
    let read = try Configuration(json5: Array(template.text.utf8))
    #expect(read.apps == [.init(bundleId: "com.example.app", appAppleId: 7)])
    #expect(read.environments == [.production, .sandbox])
  }
}
