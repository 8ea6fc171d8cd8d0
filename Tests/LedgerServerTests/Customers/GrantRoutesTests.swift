import AppStoreModel
import ContractSupport
import Testing

@testable import LedgerServer

struct GrantRoutesTests {
  private static let path = "/v1/customers/u/grants"

  private func serving(_ body: (ServedLedger) throws -> Void) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    try body(served)
  }

  private static func later(_ served: ServedLedger, days: Int64) -> Int64 {
    served.moment.get().adding(.days(days)).millisecondsSince1970
  }

  private static func verdict(_ served: ServedLedger) throws -> String? {
    let answer = try served.call("GET /v1/customers/u/entitlements/pro", .read)
    return try JSONValue(json: Array(answer.body.utf8))["decision"]?["verdict"]?.string
  }

  private static func events(_ served: ServedLedger) throws -> [String] {
    let answer = try served.call("GET /v1/events", .read)
    let events = try JSONValue(json: Array(answer.body.utf8))["events"]?.array ?? []
    return events.compactMap { $0["type"]?.string }
  }

  @Test
  func `a grant gives access at once, says who gave it and why, and ends when it was said to`()
    throws
  {
    try serving { served in
      let until = Self.later(served, days: 30)
      let body = #"{"entitlement":"pro","reason":"late parcel","untilMs":\#(until)}"#
      let given = try served.call("POST \(Self.path)", .admin, body: body)
      #expect(given.status == 200)
      #expect(try JSONSchema("grant").findings(in: given.body) == [])
      #expect(try Self.verdict(served) == "granted")
      let listed = try served.call("GET \(Self.path)", .read).body
      #expect(try JSONSchema("grants").findings(in: listed) == [])
      let grant = try JSONValue(json: Array(listed.utf8))["grants"]?.array?.first
      #expect(grant?["grantedBy"]?.string == "adminSandbox")
      #expect(grant?["reason"]?.string == "late parcel")
      #expect(grant?["untilMs"]?.integer == until)
      #expect(grant?["isActive"] == .bool(true))
      served.moment.set(Timestamp(millisecondsSince1970: until))
      #expect(try Self.verdict(served) == "denied")
      #expect(try served.call("GET \(Self.path)", .read).body.contains(#""isActive":false"#))
    }
  }

  @Test func `a grant is taken back once, with a reason, and both stand in the timeline`() throws {
    try serving { served in
      let body = #"{"entitlement":"pro","reason":"goodwill"}"#
      let given = try served.call("POST \(Self.path)", .admin, body: body).body
      let id = try #require(try JSONValue(json: Array(given.utf8))["grant"]?["id"]?.string)
      let line = "DELETE \(Self.path)/\(id)"
      #expect(try served.call(line, .admin).status == 400)
      let other = try served.call(
        "DELETE /v1/customers/v/grants/\(id)?reason=x", .admin)
      #expect(other.status == 404)
      let taken = try served.call(line, .admin, body: #"{"reason":"given in error"}"#)
      #expect(taken.body == #"{"changed":true}"#)
      #expect(try served.call(line + "?reason=again", .admin).body.contains("unknownGrant"))
      #expect(try Self.verdict(served) == "denied")
      #expect(try Self.events(served) == ["granted", "expired"])
      let listed = try served.call("GET \(Self.path)", .read).body
      #expect(listed.contains(#""revokedBy":"adminSandbox","revocationReason":"given in error""#))
      let timeline = try served.call("GET /v1/customers/u/timeline", .read).body
      #expect(try JSONSchema("timeline").findings(in: timeline) == [])
      #expect(timeline.contains(#""recordedBy":"adminSandbox","note":"goodwill""#))
      #expect(timeline.contains(#""recordedBy":"adminSandbox","note":"given in error""#))
    }
  }

  @Test func `a request that is sent again gives one grant`() throws {
    try serving { served in
      let body = #"{"entitlement":"pro","reason":"goodwill"}"#
      let fields = "Idempotency-Key: k\r\n"
      func give(_ body: String) throws -> (status: Int, header: String, body: String) {
        try served.call("POST \(Self.path)", .admin, body: body, fields: fields)
      }
      let first = try give(body)
      served.moment.set(served.moment.get().adding(.minutes(5)))
      #expect(try give(body).body == first.body)
      #expect(try give(#"{"entitlement":"gold","reason":"goodwill"}"#).status == 409)
      let listed = try served.call("GET \(Self.path)", .read).body
      let grants = try JSONValue(json: Array(listed.utf8))["grants"]?.array
      #expect(grants?.count == 1)
      #expect(try Self.events(served) == ["granted"])
    }
  }

  @Test func `a key of the other environment sees and gives nothing here`() throws {
    try serving { served in
      let body = #"{"entitlement":"pro","reason":"goodwill"}"#
      _ = try served.call("POST \(Self.path)", .admin, .production, body: body)
      #expect(try served.call("GET \(Self.path)", .read).body.contains(#""grants":[]"#))
      #expect(try Self.verdict(served) == "unknown")
      let listed = try served.call("GET \(Self.path)", .read, .production).body
      #expect(listed.contains(#""environment":"Production""#))
      #expect(listed.contains("goodwill"))
    }
  }

  @Test(
    arguments: [
      ("{}", 400, "malformedBody"), (#"{"entitlement":"pro"}"#, 400, "malformedBody"),
      (#"{"entitlement":"","reason":"x"}"#, 400, "malformedBody"),
      (#"{"entitlement":"pro","reason":""}"#, 400, "malformedBody"),
      (#"{"entitlement":"pro","reason":"x","untilMs":1}"#, 400, "malformedBody"),
      (#"{"entitlement":"pro","reason":"x","untilMs":"x"}"#, 400, "malformedBody"),
      (#"{"entitlement":"pro","reason":"x","fromMs":-1}"#, 400, "malformedBody"),
    ])
  func `a grant that says too little is refused`(body: String, status: Int, code: String) throws {
    try serving { served in
      let answer = try served.call("POST \(Self.path)", .admin, body: body)
      #expect(answer.status == status)
      #expect(answer.body.contains(code))
      #expect(try served.call("GET \(Self.path)", .read).body.contains(#""grants":[]"#))
    }
  }

  @Test(arguments: [KeyScope.read, .spend, .device])
  func `only an administrator's key gives access by hand`(scope: KeyScope) throws {
    try serving { served in
      let body = #"{"entitlement":"pro","reason":"goodwill"}"#
      #expect(try served.call("POST \(Self.path)", scope, body: body).body.contains("scopeMissing"))
      let taken = try served.call("DELETE \(Self.path)/g?reason=x", scope)
      #expect(taken.body.contains("scopeMissing"))
    }
  }
}
