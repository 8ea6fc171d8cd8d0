import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

struct CaseRoutesTests {
  private static let token = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

  private func serving(_ body: (ServedLedger) throws -> Void) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    try body(served)
  }

  @Test func `a request shows as a case, and Apple's refund closes it`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let bought = try served.stage.buy(.themes, customer)
      try served.stage.store.requestRefund(of: bought, at: served.stage.now)
      _ = try served.deliver()
      let open = try served.call("GET /v1/cases", .read).body
      #expect(open.contains(#""transactionId":"\#(bought)""#))
      #expect(open.contains(#""reason":"UNSATISFIED_WITH_PURCHASE""#))
      try served.stage.refund(bought)
      _ = try served.deliver()
      let closed = try served.call("GET /v1/cases?state=closed", .read).body
      #expect(closed.contains(#""verdict":"refunded""#))
      let none = try served.call("GET /v1/cases?state=missed", .read).body
      #expect(none == #"{"cases":[]}"#)
      let others = try served.call("GET /v1/cases?customer=x", .read).body
      #expect(others == #"{"cases":[]}"#)
      let production = try served.call("GET /v1/cases", .read, .production).body
      #expect(production == #"{"cases":[]}"#)
      let timeline = try served.call(
        "GET /v1/customers/\(customer.appAccountToken ?? "")/timeline", .read)
      #expect(timeline.body.contains(#""type":"caseOpened""#))
      #expect(timeline.body.contains(#""type":"caseClosed""#))
    }
  }

  @Test func `cases come as a table, page by page`() throws {
    try serving { served in
      for name in ["u", "v"] {
        let bought = try served.stage.buy(.themes, served.stage.store.enroll(name))
        try served.stage.store.requestRefund(of: bought, at: served.stage.now)
      }
      _ = try served.deliver()
      let page = try served.call("GET /v1/cases?limit=1&format=csv", .read)
      #expect(page.header.contains("Content-Type: text/csv"))
      #expect(
        page.header.contains(
          "Link: </v1/cases?app=com.example.app&format=csv&limit=1&after=1>; rel=\"next\""))
      let filtered = try served.call(
        "GET /v1/cases?limit=1&format=csv&customer=a%20b&state=closed", .read)
      #expect(filtered.header.contains("&limit=1&state=closed&customer=a%20b&after=1>"))
      #expect(page.body.split(separator: "\r\n").count == 2)
      let accepted = try served.call("GET /v1/cases?after=1", .read, fields: "Accept: text/csv\r\n")
      #expect(accepted.body.split(separator: "\r\n").count == 2)
      #expect(accepted.body.hasPrefix("id,transactionId,"))
    }
  }

  @Test func `consent is recorded, shown and withdrawn`() throws {
    try serving { served in
      let path = "/v1/customers/u/consent"
      let unknown = try served.call("GET \(path)", .read).body
      #expect(unknown.contains(#""consented":false"#))
      let given = try served.call(
        "PUT \(path)", .spend, body: #"{"consented":true,"note":"settings"}"#)
      #expect(given.body == #"{"changed":true}"#)
      let shown = try served.call("GET \(path)", .read).body
      #expect(shown.contains(#""consented":true,"recordedBy":"spendSandbox","note":"settings""#))
      let withdrawn = try served.call("PUT \(path)", .admin, body: #"{"consented":false}"#)
      #expect(withdrawn.body == #"{"changed":true}"#)
      #expect(try served.call("GET \(path)", .read).body.contains(#""consented":false"#))
    }
  }

  @Test func `a registered token moves its purchases`() throws {
    try serving { served in
      let customer = served.stage.store.enroll("u")
      let token = try #require(customer.appAccountToken)
      _ = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      let body = "{\"appAccountToken\":\"\(token)\"}"
      let path = "PUT /v1/customers/user-7/token"
      #expect(try served.call(path, .spend, body: body).body == #"{"changed":true}"#)
      let answer = try served.call("GET /v1/customers/user-7/entitlements", .read)
      #expect(answer.body.contains("granted"))
      let taken = try served.call("PUT /v1/customers/user-8/token", .spend, body: body)
      #expect(taken.status == 409)
    }
  }

  @Test(
    arguments: [
      ("GET /v1/cases?state=open", .read, "{}", 400, "badParameter"),
      ("GET /v1/cases?format=xml", .read, "{}", 400, "badParameter"),
      ("PUT /v1/customers/u/consent", .spend, "{}", 400, "malformedBody"),
      (
        "PUT /v1/customers/u/consent", .spend, #"{"consented":true,"note":1}"#, 400, "malformedBody"
      ),
      ("PUT /v1/customers/u/consent", .read, #"{"consented":true}"#, 403, "scopeMissing"),
      ("PUT /v1/customers/u/consent", .device, #"{"consented":true}"#, 403, "scopeMissing"),
      ("PUT /v1/customers/u/token", .spend, "{}", 400, "malformedBody"),
      ("PUT /v1/customers/u/token", .spend, #"{"appAccountToken":"u"}"#, 400, "malformedBody"),
      ("PUT /v1/customers/u/token", .read, "{}", 403, "scopeMissing"),
    ] as [(String, KeyScope, String, Int, String)])
  func `what cannot be used is refused`(
    line: String, scope: KeyScope, body: String, status: Int, code: String
  ) throws {
    try serving { served in
      let answer = try served.call(line, scope, body: body)
      #expect(answer.status == status)
      #expect(answer.body.contains(code))
    }
  }
}
