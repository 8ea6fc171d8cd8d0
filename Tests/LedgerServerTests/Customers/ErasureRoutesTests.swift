import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Testing

@testable import LedgerServer

struct ErasureRoutesTests {
  private static let path = "/v1/customers/u"

  /// A server with a customer who bought, holds, and got something as well.
  private static func served() throws -> (ServedLedger, hold: String, bought: String) {
    let served = try ServedLedger()
    let customer = served.stage.store.enroll("u", withToken: false)
    let bought = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    #expect(try served.call("PUT \(path)/purchases/\(bought)", .spend).status == 200)
    _ = try served.call(
      "POST \(path)/grants", .admin, body: #"{"entitlement":"gold","reason":"u was unlucky"}"#)
    let question = """
      {"customer":"u","entitlement":"\(SimulatedProduct.themes.id)","kind":"video","unit":"second",\
      "units":9,"amount":{"milliunits":5,"currency":"USD"}}
      """
    let held = try served.call("POST /v1/spend/authorizations", .spend, body: question).body
    let hold = try JSONValue(json: Array(held.utf8))["id"]?.string
    return (served, try #require(hold), bought)
  }

  @Test func `an administrator forgets a customer once, and a backend may not`() throws {
    let (served, _, _) = try Self.served()
    defer { served.stop() }
    #expect(try served.call("DELETE \(Self.path)", .spend).status == 403)
    #expect(try served.call("DELETE \(Self.path)", .device).status == 403)
    let erased = try served.call("DELETE \(Self.path)", .admin)
    #expect(erased.status == 200)
    #expect(try JSONSchema("erasure").findings(in: erased.body) == [])
    #expect(erased.body.contains(#""changed":true,"purchases":1,"#))
    let again = try served.call("DELETE \(Self.path)", .admin).body
    #expect(again == #"{"changed":false,"purchases":0,"facts":0,"events":0}"#)
    #expect(try JSONSchema("erasure").findings(in: again) == [])
  }

  @Test func `every answer about an erased customer is that of somebody unknown`() throws {
    let (served, _, _) = try Self.served()
    defer { served.stop() }
    _ = try served.call("DELETE \(Self.path)", .admin)
    for (list, nothing) in [
      ("entitlements", #""entitlements":[]"#), ("timeline", #""entries":[]"#),
      ("grants", #""grants":[]"#), ("balances", #""balances":[]"#),
      ("running-costs", #""runningCosts":[]"#), ("consent", #""consented":false"#),
    ] {
      let answer = try served.call("GET \(Self.path)/\(list)", .read).body
      #expect(answer.contains(nothing), "\(list): \(answer)")
    }
    let spends = try served.call("GET /v1/spend?customer=u", .read).body
    #expect(spends.contains(#""spends":[]"#))
  }

  @Test func `events and holds go on under a name that says nothing and that nobody may use`()
    throws
  {
    let (served, hold, bought) = try Self.served()
    defer { served.stop() }
    _ = try served.call("DELETE \(Self.path)", .admin)
    let page = try served.call("GET /v1/events", .read).body
    #expect(try JSONSchema("events").findings(in: page) == [])
    #expect(!page.contains(#""customer":"u""#))
    #expect(!page.contains("video"))
    let held = try served.call("GET /v1/spend/authorizations/\(hold)", .read).body
    #expect(try JSONSchema("authorization").findings(in: held) == [])
    let authorization = try JSONValue(json: Array(held.utf8))
    #expect(authorization["state"]?.string == "revoked")
    let mark = try #require(authorization["customer"]?.string)
    #expect(mark.hasPrefix("erased:"))
    #expect(try served.call("GET /v1/customers/\(mark)/entitlements", .read).status == 400)
    #expect(try served.call("DELETE /v1/customers/\(mark)", .admin).status == 400)
    let asked = try served.call(
      "POST /v1/spend/authorizations", .spend,
      body: """
        {"customer":"\(mark)","entitlement":"x","amount":{"milliunits":1,"currency":"USD"}}
        """)
    #expect(asked.status == 400)
    served.stage.waitDays(1)
    try served.stage.refund(bought)
    #expect(try served.deliver() == [200])
    let refunds = try served.call("GET /v1/refunds", .read).body
    #expect(refunds.contains(#""netRefundMilliunits":9990"#))
    #expect(!refunds.contains(#""customer""#))
  }
}
