import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Glibc
import Testing

@testable import LedgerServer

/// Catalogs and policies that are stated while the server runs.
struct CatalogRoutesTests {
  private static let app = "/v1/apps/com.example.app"
  private static let themes = SimulatedProduct.themes.id
  private static let path = "\(app)/products/\(themes)"

  private static func serving(
    environments: Set<AppStoreEnvironment> = [.sandbox], _ body: (ServedLedger) throws -> Void
  ) throws {
    let served = try ServedLedger { configuration in
      configuration.environments = environments
      configuration.apps[0].catalog = [
        CatalogEntry(productId: themes, entitlements: ["themes"])
      ]
    }
    defer { served.stop() }
    try body(served)
  }

  private static func put(
    _ served: ServedLedger, _ entries: String, path: String = path
  ) throws -> (status: Int, header: String, body: String) {
    try served.call("PUT \(path)", .admin, body: "{\"entries\":[\(entries)]}")
  }

  private static func wait(
    _ served: ServedLedger, until verdict: String, _ customer: Customer, _ entitlement: String
  ) throws {
    while try served.verdict(customer, entitlement) != verdict { usleep(1_000) }
  }

  @Test func `a statement counts at once in place of the configuration's, until it is withdrawn`()
    throws
  {
    try Self.serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.themes, customer)
      _ = try served.deliver()
      #expect(try served.verdict(customer, "themes") == "granted")
      let stated = try Self.put(served, #"{"entitlements":["gold"]}"#)
      #expect(stated.body == #"{"changed":true}"#)
      #expect(try JSONSchema("changed").findings(in: stated.body) == [])
      #expect(try Self.put(served, #"{"entitlements":["gold"]}"#).body == #"{"changed":false}"#)
      try Self.wait(served, until: "granted", customer, "gold")
      #expect(try served.verdict(customer, "themes") != "granted")
      while try !served.call("GET /v1/events", .read).body.contains(#""entitlement":"gold""#) {
        usleep(1_000)
      }
      #expect(try served.call("DELETE \(Self.path)", .admin).body == #"{"changed":true}"#)
      try Self.wait(served, until: "granted", customer, "themes")
      #expect(try served.verdict(customer, "gold") != "granted")
      #expect(try served.call("DELETE \(Self.path)", .admin).body == #"{"changed":false}"#)
    }
  }

  @Test func `who stated what and when can be read, and which source counts`() throws {
    try Self.serving { served in
      let seeded = try served.call("GET \(Self.path)", .read).body
      #expect(try JSONSchema("product").findings(in: seeded) == [])
      #expect(seeded.contains(#""source":"configuration""#))
      _ = try Self.put(
        served, #"{"entitlements":["a"]},{"entitlements":["b"],"effectiveFromMs":1790000000000}"#)
      _ = try served.call("DELETE \(Self.path)", .admin)
      _ = try Self.put(served, #"{"entitlements":["c"],"familyShareable":true}"#)
      let page = try served.call("GET \(Self.path)", .read).body
      #expect(try JSONSchema("product").findings(in: page) == [])
      let json = try JSONValue(json: Array(page.utf8))
      #expect(json["source"]?.string == "api")
      #expect(json["entries"]?.array?.map { $0["entitlements"]?.array } == [[.string("c")]])
      let statements = try #require(json["statements"]?.array)
      #expect(statements.map { $0["withdrawn"] } == [.bool(false), .bool(true), .bool(false)])
      #expect(statements.allSatisfy { $0["statedBy"]?.string == "adminSandbox" })
      #expect(
        statements.allSatisfy {
          $0["statedAtMs"]?.integer == ServedLedger.start.millisecondsSince1970
        })
      let app = try served.call("GET \(Self.app)", .read).body
      #expect(try JSONSchema("app").findings(in: app) == [])
      #expect(app.contains(#""entitlements":["c"]"#))
    }
  }

  @Test func `consumables that were bought before fill a balance once they have an amount`() throws
  {
    try Self.serving { served in
      let customer = served.stage.store.enroll("u")
      _ = try served.stage.buy(.coins, customer)
      _ = try served.deliver()
      let coins = "\(Self.app)/products/\(SimulatedProduct.coins.id)"
      let stated = try Self.put(
        served, #"{"entitlements":[],"creditsPerUnit":70,"creditUnit":"gems"}"#, path: coins)
      #expect(stated.status == 200)
      let name = customer.appAccountToken ?? ""
      while true {
        let balances = try served.call("GET /v1/customers/\(name)/balances", .read).body
        if balances.contains(#""unit":"gems","balance":70"#) { break }
        usleep(1_000)
      }
    }
  }

  @Test func `a policy by the API decides about unknown customers at once`() throws {
    try Self.serving { served in
      let question = """
        {"customer":"stranger","entitlement":"themes","amount":{"milliunits":1,"currency":"USD"}}
        """
      let asking = "POST /v1/spend/authorizations"
      #expect(
        try served.call(asking, .spend, body: question).body.contains(#""decision":"deny""#))
      let seeded = try served.call("GET \(Self.app)/policy", .read).body
      #expect(try JSONSchema("policy").findings(in: seeded) == [])
      let stated = try Self.put(
        served, #"{"unknownCustomer":"allow","spentCredits":"freeze"}"#, path: Self.app + "/policy")
      #expect(stated.status == 200)
      #expect(
        try served.call(asking, .spend, body: question).body.contains(#""decision":"allow""#))
      let page = try served.call("GET \(Self.app)/policy", .read).body
      #expect(try JSONSchema("policy").findings(in: page) == [])
      #expect(page.contains(#""spentCredits":"freeze""#))
      #expect(page.contains(#""source":"api""#))
    }
  }

  @Test(
    arguments: [
      (#"{"entitlements":["a"],"type":"Book"}"#, "four product types"),
      (#"{"entitlements":"a"}"#, "expected a list"),
      (#"{}"#, "entries[0].entitlements: is missing"),
      (#"{"entitlements":[],"creditsPerUnit":0}"#, "expected 1 to"),
      (#"{"entitlements":[]},{"entitlements":["a"]}"#, "same moment"),
      (#"{"entitlments":[]}"#, "is entitlements meant?"),
      ("", "1 to 100 entries"),
    ])
  func `an entry is read as the configuration's are`(entries: String, detail: String) throws {
    try Self.serving { served in
      let answer = try Self.put(served, entries)
      #expect(answer.status == 400)
      #expect(answer.body.contains(detail), "\(answer.body)")
    }
  }

  @Test
  func `a sandbox key changes no catalog that counts in Production, and a backend none at all`()
    throws
  {
    try Self.serving(environments: [.production, .sandbox]) { served in
      let body = #"{"entries":[{"entitlements":["gold"]}]}"#
      let sandbox = try served.call("PUT \(Self.path)", .admin, body: body)
      #expect(sandbox.body.contains("environmentForbidden"))
      #expect(try served.call("PUT \(Self.path)", .admin, .production, body: body).status == 200)
      #expect(try served.call("PUT \(Self.path)", .spend, .production, body: body).status == 403)
      let other = try served.call(
        "PUT /v1/apps/com.other/products/x", .admin, .production, body: body)
      #expect(other.body.contains("appForbidden"))
    }
  }
}
