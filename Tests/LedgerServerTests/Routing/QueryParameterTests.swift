import AppStoreModel
import Testing

@testable import LedgerServer

/// That a query is read whole or refused.
struct QueryParameterTests {
  @Test(arguments: [
    ("GET /v1/payouts?stat=clawBack", "The query's stat is unknown; is state meant?"),
    ("GET /v1/events/stream?type=revoked", "The query's type is unknown; is types meant?"),
    ("GET /v1/quarantine?application=x", "unknown; there are after, limit."),
    ("GET /v1/apps?application=x", "The query's application is unknown; there are no parameters."),
    ("GET /v1/reports/refunds?since=0", "The query's since is unknown; there are after, app, by, "),
    ("DELETE /v1/customers/ada?reason=x", "The query's reason is unknown; there are app."),
    ("GET /v1/alerts?%0A=1", "A query parameter is unknown; "),
  ])
  func `a parameter that nobody reads is refused, with the one that was probably meant`(
    line: String, detail: String
  ) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let answer = try served.call(line, .admin)
    #expect(answer.status == 400)
    #expect(answer.body.contains(#""code":"badParameter""#))
    #expect(answer.body.contains(detail), "\(answer.body)")
  }

  @Test func `every parameter that a route is described with is read by it`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let described = try JSONValue(
      json: Array(served.call("GET /openapi.json", .read).body.utf8))
    guard case .object(let paths)? = described["paths"] else {
      Issue.record("nothing is described")
      return
    }
    var count = 0
    for path in paths where !path.name.hasSuffix("/stream") {
      for parameter in path.value["get"]?["parameters"]?.array ?? []
      where parameter["in"]?.string == "query" {
        let name = parameter["name"]?.string ?? ""
        let line = path.name.replacing("{bundleId}", with: "com.example.app")
          .replacing("{", with: "").replacing("}", with: "")
        let answer = try served.call("GET \(line)?\(name)=%01", .admin)
        #expect(!answer.body.contains("is unknown; "), "\(line) \(name)")
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test func `what Apple posts is taken whatever its address says beside the path`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let post = "POST /apple/notifications?tenant=7"
    #expect(try served.call(post, body: "{}").body.contains("malformedBody"))
    #expect(try served.call("GET /healthz?probe=1").status == 200)
  }
}
