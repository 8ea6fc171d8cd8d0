import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Testing

@testable import LedgerServer

/// Who may do what with endpoints, and what is answered.
struct WebhookRoutesTests {
  private static let url = "https://receiver.example.com/hook"

  private func serving(_ body: (ServedLedger) throws -> Void) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    try body(served)
  }

  @Test func `every answer about endpoints is as its schema says, and shows a secret once`()
    throws
  {
    try serving { served in
      let made = try served.makeWebhook(
        Self.url, more: #","description":"mine","types":["revoked"]"#)
      let one = "/v1/webhooks/\(made.id)"
      let (webhook, problem) = (try JSONSchema("webhook"), try JSONSchema("problem"))
      let rows: [(line: String, body: String, status: Int, schema: JSONSchema, content: String)] =
        try [
          ("GET /v1/webhooks", "", 200, JSONSchema("webhooks"), "\"description\":\"mine\""),
          ("GET \(one)", "", 200, webhook, "\"waiting\":0,\"deadLetters\":0"),
          ("PATCH \(one)", #"{"types":["restored"]}"#, 200, webhook, "\"types\":[\"restored\"]"),
          ("POST \(one)/replay", #"{"sinceMs":0}"#, 400, problem, "nothing to send"),
          ("POST \(one)/disable", "", 200, webhook, "\"disabledBecause\":\"operator\""),
          ("POST \(one)/wake", "", 200, webhook, "\"enabled\":true"),
          (
            "GET \(one)/deliveries", "", 200, JSONSchema("webhook-deliveries"),
            "{\"deliveries\":[]}"
          ),
          (
            "GET \(one)/dead-letters", "", 200, JSONSchema("webhook-dead-letters"),
            "\"deadLetters\":[]"
          ),
          ("POST \(one)/replay", #"{"deadLetters":true}"#, 400, problem, "nothing to send"),
          ("POST \(one)/replay", #"{"sinceMs":0}"#, 202, webhook, "\"enabled\":true"),
          ("POST \(one)/replay", #"{"event":"x"}"#, 400, problem, "malformedBody"),
          ("POST \(one)/replay", "{}", 400, problem, "malformedBody"),
          ("PATCH \(one)", "{}", 400, problem, "malformedBody"),
          (
            "PATCH \(one)", #"{"types":["revokd"]}"#, 400, problem,
            "revokd is no type of event; is revoked meant?"
          ),
          (
            "POST /v1/webhooks", #"{"url":"https://x.example/","types":["everything"]}"#, 400,
            problem, "everything is no type of event; there are granted, revoked, "
          ),
          (
            "POST /v1/webhooks", #"{"url":"http://x.example/"}"#, 422, problem,
            "webhooks.trustedURLs"
          ),
          ("PATCH \(one)", #"{"url":"http://x.example/"}"#, 422, problem, "forbiddenURL"),
          ("PATCH \(one)", #"{"apps":["com.other"]}"#, 403, problem, "appForbidden"),
          ("POST \(one)/secret", #"{"overlapHours":169}"#, 400, problem, "malformedBody"),
          ("POST /v1/webhooks", #"{"url":"https://10.0.0.1/"}"#, 422, problem, "forbiddenURL"),
          ("POST /v1/webhooks", "{}", 400, problem, "malformedBody"),
          ("GET /v1/webhooks/wh_0", "", 404, problem, "unknownWebhook"),
          ("GET /v1/webhooks/wh_0/deliveries", "", 404, problem, "unknownWebhook"),
          ("POST /v1/webhooks/wh_0/test", "", 404, problem, "unknownWebhook"),
          ("POST /v1/webhooks/wh_0/wake", "", 404, problem, "unknownWebhook"),
          ("DELETE /v1/webhooks/wh_0", "", 404, problem, "unknownWebhook"),
        ]
      for row in rows {
        let answer = try served.call(row.line, .admin, body: row.body)
        #expect(answer.status == row.status, "\(row.line): \(answer.body)")
        #expect(answer.body.contains(row.content), "\(row.line): \(answer.body)")
        #expect(try row.schema.findings(in: answer.body) == [], "\(row.line)")
        #expect(!answer.body.contains("whsec_"), "\(row.line)")
      }
      let rotated = try served.call("POST \(one)/secret", .admin)
      #expect(try webhook.findings(in: rotated.body) == [])
      #expect(rotated.body.contains("\"secret\":\"whsec_"))
      #expect(try served.call("DELETE \(one)", .admin).status == 200)
      #expect(try served.call("GET /v1/webhooks", .admin).body == #"{"webhooks":[]}"#)
    }
  }

  @Test(arguments: [KeyScope.device, .read, .spend])
  func `only an admin key sees or changes endpoints`(scope: KeyScope) throws {
    try serving { served in
      let made = try served.makeWebhook(Self.url)
      for line in [
        "GET /v1/webhooks", "POST /v1/webhooks", "GET /v1/webhooks/\(made.id)",
        "PATCH /v1/webhooks/\(made.id)", "DELETE /v1/webhooks/\(made.id)",
        "POST /v1/webhooks/\(made.id)/secret", "POST /v1/webhooks/\(made.id)/wake",
        "POST /v1/webhooks/\(made.id)/disable", "POST /v1/webhooks/\(made.id)/test",
        "POST /v1/webhooks/\(made.id)/replay", "GET /v1/webhooks/\(made.id)/deliveries",
        "GET /v1/webhooks/\(made.id)/dead-letters",
      ] {
        #expect(try served.call(line, scope, body: "{}").status == 403, "\(line)")
        #expect(try served.call(line, body: "{}").status == 401, "\(line)")
      }
    }
  }

  @Test func `an endpoint of the other environment does not exist for a key`() throws {
    try serving { served in
      let made = try served.makeWebhook(Self.url)
      for line in [
        "GET /v1/webhooks/\(made.id)", "DELETE /v1/webhooks/\(made.id)",
        "POST /v1/webhooks/\(made.id)/secret", "POST /v1/webhooks/\(made.id)/wake",
      ] {
        #expect(try served.call(line, .admin, .production).status == 404, "\(line)")
      }
      #expect(
        try served.call("GET /v1/webhooks", .admin, .production).body == #"{"webhooks":[]}"#)
      #expect(try served.call("GET /v1/webhooks/\(made.id)", .admin).status == 200)
    }
  }

  @Test func `there are at most a hundred endpoints`() throws {
    try serving { served in
      for _ in 0..<WebhookAdministration.mostEndpoints { _ = try served.makeWebhook(Self.url) }
      let body = #"{"url":"\#(Self.url)"}"#
      let refused = try served.call("POST /v1/webhooks", .admin, body: body)
      #expect(refused.status == 422 && refused.body.contains("tooManyItems"))
    }
  }
}
