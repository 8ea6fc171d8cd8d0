import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

struct IdempotencyTests {
  @Test func `the same key for another app is a conflict, not the first app's answer`() throws {
    let served = try ServedLedger { $0.apps.append(.init(bundleId: "com.other", appAppleId: 5)) }
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
    let secret = try Self.keyForBoth(served)
    let question = """
      {"customer":"\(customer.appAccountToken ?? "")","entitlement":"\(SimulatedProduct.themes.id)",\
      "amount":{"milliunits":5,"currency":"USD"}}
      """
    let fields = "Authorization: Bearer \(secret)\r\nIdempotency-Key: k\r\n"
    func ask(_ app: String) throws -> (status: Int, header: String, body: String) {
      try served.call(
        "POST /v1/spend/authorizations?app=\(app)", body: question, fields: fields)
    }
    #expect(try ask("com.example.app").body.contains(#""decision":"allow""#))
    let other = try ask("com.other")
    #expect(other.status == 409)
    #expect(other.body.contains("idempotencyConflict"))
  }

  @Test(arguments: ["1000000000001", "9223372036854775807", "-1", "1.5", "\"5\""])
  func `an amount that is no amount of anybody's is refused`(milliunits: String) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let body = """
      {"customer":"u","entitlement":"x","amount":{"milliunits":\(milliunits),"currency":"USD"}}
      """
    let answer = try served.call("POST /v1/spend/authorizations", .spend, body: body)
    #expect(answer.status == 400)
    #expect(answer.body.contains("a whole number from 0 to 1000000000000"))
  }

  private static func keyForBoth(_ served: ServedLedger) throws -> String {
    let answer = try JSONValue(
      json: served.service.operations.run(
        .object([
          .init("command", .string("keys.create")), .init("name", .string("both")),
          .init("scope", .string("spend")),
          .init("apps", .array([.string("com.example.app"), .string("com.other")])),
          .init("environment", .string("Sandbox")),
        ])))
    return try #require(answer["secret"]?.string)
  }
}
