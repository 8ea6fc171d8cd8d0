import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

/// Texts that clients state: bounded, plain, and said once.
struct StatedTextTests {
  private static let long = String(repeating: "x", count: 256)
  private static let longNote = String(repeating: "x", count: 1_001)

  @Test(arguments: [
    ("GET /v1/customers/\(long)/entitlements", "", "badParameter"),
    ("GET /v1/customers/a%0Ab/entitlements", "", "badParameter"),
    ("GET /v1/customers/a/entitlements/\(long)", "", "badParameter"),
    ("GET /v1/customers/a/entitlements/x%1Fy", "", "badParameter"),
    ("GET /v1/customers/a/entitlements?at=1&at=2", "", "badParameter"),
    ("GET /v1/events?after=0&after=0", "", "badParameter"),
    ("DELETE /v1/customers/a/purchases/1?reason=\(longNote)", "", "malformedBody"),
    ("DELETE /v1/customers/a/purchases/1?reason=a%09b", "", "malformedBody"),
    ("DELETE /v1/customers/a/purchases/1", "{}", "malformedBody"),
    ("POST /v1/customers/a/purchases/1/transfer", #"{"reason":7}"#, "malformedBody"),
    ("POST /v1/customers/a/purchases/1/transfer", "{\"reason\":\"\(longNote)\"}", "malformedBody"),
    ("PUT /v1/customers/a/consent", #"{"consented":true,"note":"a\u0000b"}"#, "malformedBody"),
    (
      "POST /v1/customers/a/grants", #"{"entitlement":"p\u0007","reason":"r"}"#, "malformedBody"
    ),
    (
      "POST /v1/spend/authorizations",
      "{\"customer\":\"a\",\"entitlement\":\"\(long)\","
        + #""amount":{"milliunits":1,"currency":"USD"}}"#, "malformedBody"
    ),
    (
      "POST /v1/spend/authorizations",
      #"{"customer":"a\u001b","entitlement":"p","amount":{"milliunits":1,"currency":"USD"}}"#,
      "malformedBody"
    ),
  ])
  func `a text that is too long, or holds control characters, is refused`(
    line: String, body: String, code: String
  ) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let answer = try served.call(line, .admin, body: body)
    #expect(answer.status == 400)
    #expect(answer.body.contains("\"code\":\"\(code)\""))
  }

  @Test func `an Idempotency-Key that stands twice is refused`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let answer = try served.call(
      "POST /v1/spend/authorizations", .admin,
      body: #"{"customer":"a","entitlement":"p","amount":{"milliunits":1,"currency":"USD"}}"#,
      fields: "Idempotency-Key: a\r\nIdempotency-Key: a\r\n")
    #expect(answer.status == 400)
    #expect(answer.body.contains("Idempotency-Key is one text"))
  }

  @Test func `a signed text in the list of the other kind is refused by itself`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.pro, customer)
    let sent = try #require(served.stage.store.notifications.last)
    let transaction = try #require(sent.transaction.map { served.signer.sign($0) })
    let renewal = try #require(sent.renewal.map { served.signer.sign($0) })
    let body = """
      {"signedTransactions":["\(renewal)","\(transaction)"],
       "signedRenewals":["\(transaction)","\(renewal)"]}
      """
    let answer = try served.call("POST /v1/transactions", .device, body: body)
    let other = #"{"result":"refused","reason":"otherKind"}"#
    let taken = #"{"result":"stored"}"#
    #expect(answer.body == "{\"results\":[\(other),\(taken),\(other),\(taken)]}")
  }

  @Test(arguments: [
    ("a\u{7}b", "com.example.app", "Sandbox", "control characters"),
    ("", "com.example.app", "Sandbox", "1 to 100 bytes"),
    ("k", "com.other", "Sandbox", "com.other is not in the configuration"),
    ("k", "com.example.app", "Production", "Production is not an environment"),
  ])
  func `a key reaches only what is configured, and has a plain name`(
    name: String, app: String, environment: String, says: String
  ) throws {
    let served = try ServedLedger { $0.environments = [.sandbox] }
    defer { served.stop() }
    let answer = try JSONValue(
      json: served.service.operations.run(
        .object([
          .init("command", .string("keys.create")), .init("name", .string(name)),
          .init("scope", .string("read")), .init("apps", .array([.string(app)])),
          .init("environment", .string(environment)),
        ])))
    #expect(answer["error"]?.string?.contains(says) == true)
  }
}
