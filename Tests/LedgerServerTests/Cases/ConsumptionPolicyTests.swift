import AppStoreServerAPI
import JSON5
import Testing

@testable import LedgerServer

/// How the configuration states what is answered.
struct ConsumptionPolicyTests {
  private static func read(_ text: String) throws -> Configuration.ConsumptionPolicies {
    try Configuration.ConsumptionPolicies(JSON5Object(JSON5Value(text: Array(text.utf8))))
  }

  @Test func `nothing is answered unless it is stated`() throws {
    #expect(try Self.read("{}").policy(for: "coins").answer == .none)
  }

  @Test func `a product has the app's policy but for what it states itself`() throws {
    let policies = try Self.read(
      """
      {
        answer: "decline", delivery: "DELIVERED", sampleContentProvided: true,
        products: [{ productId: "coins", answer: "prorated" }],
      }
      """)
    #expect(policies.policy(for: "pro") == policies.standing)
    let coins = policies.policy(for: "coins")
    #expect(coins.answer == .prorated)
    #expect(coins.delivery == .delivered)
    #expect(coins.sampleContentProvided)
  }

  @Test(
    arguments: [
      (#"{ answer: "maybe" }"#, "expected one of none, decline, grant, prorated"),
      (#"{ delivery: "SENT" }"#, "UNDELIVERED_SERVER_OUTAGE"),
      (#"{ answer: "decline" }"#, "Apple demands it"),
      (#"{ products: [{ productId: "a", answer: "grant" }] }"#, "Apple demands it"),
      (#"{ products: [{ answer: "none" }] }"#, "is missing"),
      (#"{ products: [{ productId: "a" }, { productId: "a" }] }"#, "named twice"),
      (#"{ reply: "none" }"#, "no such setting"),
    ])
  func `what cannot be used is refused with its reason`(text: String, reason: String) {
    let error = #expect(throws: JSON5Error.self) { try Self.read(text) }
    #expect(error?.description.contains(reason) == true)
  }
}
