import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Testing

@testable import LedgerServer

/// Every request of the document is sent to a server, one after the other, and answered as shown.
struct APIExampleTests {
  /// A server whose customers have bought what the document's requests are about.
  private final class Scene {
    let served: ServedLedger
    let receiver: TestReceiver
    let user1: Customer
    let user2: Customer
    let coins: String
    private(set) var variables: [String: String]

    init() throws {
      let receiver = try TestReceiver()
      self.receiver = receiver
      served = try ServedLedger { configuration in
        configuration.environments = [.sandbox]
        configuration.webhooks.trustedURLs = [receiver.url]
        configuration.apps[0].catalog = [
          CatalogEntry(productId: SimulatedProduct.pro.id, entitlements: ["pro"]),
          CatalogEntry(
            productId: SimulatedProduct.coins.id, entitlements: [], creditsPerUnit: 100,
            creditUnit: "coins"),
        ]
      }
      user1 = served.stage.store.enroll("one")
      user2 = served.stage.store.enroll("two", withToken: false)
      _ = try served.stage.buy(.pro, user1)
      coins = try served.stage.buy(.coins, user1)
      let themes = try served.stage.buy(.themes, user2)
      let first = try #require(served.stage.store.notifications.first)
      let copy = try #require(served.deviceCopies(of: user1).first)
      variables = [
        "PURCHASE": themes, "NOTIFICATION": served.signer.sign(first), "TRANSACTION": copy,
      ]
      let token = try #require(user1.appAccountToken)
      _ = try served.call(
        "PUT /v1/customers/user-1/token", .admin, body: #"{"appAccountToken":"\#(token)"}"#)
    }

    func stop() {
      served.stop()
      receiver.stop()
    }

    /// What has to have happened before a request makes sense.
    func prepare(_ example: APIExample, _ all: [APIExample]) throws {
      switch example.route {
      case "PUT /v1/customers/{customer}/purchases/{originalTransactionId}":
        _ = try served.deliver()
      case "POST /v1/spend/authorizations/{id}/release":
        let asked = try #require(all.first { $0.route == "POST /v1/spend/authorizations" })
        let answer = try served.call("POST \(asked.path)", .admin, body: asked.body).body
        variables["AUTHORIZATION"] = try JSONValue(json: Array(answer.utf8))["id"]?.string
      case "POST /v1/customers/{customer}/debts/{debt}/forgive":
        try served.stage.refund(coins)
        _ = try served.deliver()
        let answer = try served.call("GET /v1/customers/user-1/balances", .admin).body
        let balances = try JSONValue(json: Array(answer.utf8))["balances"]?.array
        variables["DEBT"] = balances?.first?["debts"]?.array?.first?["id"]?.string
      case "POST /v1/payouts/{payout}/recovered":
        try served.stage.refund(try #require(variables["PURCHASE"]))
        _ = try served.deliver()
      default: break
      }
    }

    func send(_ example: APIExample) throws -> (status: Int, header: String, body: String) {
      let fields = example.fields.filter { !$0.hasPrefix("Authorization") }
        .map { $0 + "\r\n" }.joined()
      let answer = try served.call(
        "\(example.method) \(filled(example.path))",
        example.fields.contains { $0.hasPrefix("Authorization") } ? .admin : nil,
        body: filled(example.body).replacing(
          "https://backend.example.com/clawback", with: receiver.url), fields: fields)
      if let json = try? JSONValue(json: Array(answer.body.utf8)) { remember(example, json) }
      return answer
    }

    private func filled(_ text: String) -> String {
      variables.reduce(text) { $0.replacing("$" + $1.key, with: $1.value) }
    }

    private func remember(_ example: APIExample, _ json: JSONValue) {
      switch example.route {
      case "POST /v1/spend/authorizations": variables["AUTHORIZATION"] = json["id"]?.string
      case "POST /v1/customers/{customer}/grants":
        variables["GRANT"] = json["grant"]?["id"]?.string
      case "POST /v1/webhooks": variables["WEBHOOK"] = json["webhook"]?["id"]?.string
      default: break
      }
    }
  }

  @Test(.timeLimit(.minutes(4)))
  func `the server takes every request of the document and answers as it shows`() throws {
    let examples = try APIExample.all()
    let scene = try Scene()
    defer { scene.stop() }
    for example in examples {
      try scene.prepare(example, examples)
      let answer = try scene.send(example)
      #expect(answer.status == example.status, "\(example.route) says \(answer.body)")
      guard let schema = example.schema else {
        #expect(answer.body == "", "\(example.route)")
        continue
      }
      #expect(try JSONSchema(schema).findings(in: answer.body) == [], "\(example.route)")
      #expect(try JSONSchema(schema).findings(in: example.answer) == [], "\(example.route)")
      let differences = APIExample.differences(
        try JSONValue(json: Array(example.answer.utf8)),
        try JSONValue(json: Array(answer.body.utf8)))
      #expect(differences == [], "\(example.route) answers \(answer.body)")
    }
  }

  @Test func `every route that writes has one example, at its own path`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let described = try served.call("GET /openapi.json", .read).body
    guard case .object(let paths)? = try JSONValue(json: Array(described.utf8))["paths"] else {
      Issue.record("no paths are described")
      return
    }
    let routes = paths.flatMap { path in
      ["post", "put", "patch", "delete"].filter { path.value[$0] != nil }
        .map { "\($0.uppercased()) \(path.name)" }
    }
    let examples = try APIExample.all()
    #expect(examples.map(\.route).sorted() == routes.sorted())
    for example in examples {
      let parts = example.route.split(separator: " ")
      let segments = example.path.split(separator: "/").map(String.init)
      #expect(example.method == parts[0], "\(example.route)")
      #expect(PathPattern(String(parts[1])).match(segments) != nil, "\(example.route)")
    }
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":2}"#, 1), (#"{"a":1}"#, #"{"a":1,"b":1}"#, 1),
    (#"{"a":[1,2]}"#, #"{"a":[1]}"#, 1), (#"{"id":"x"}"#, #"{"id":"y"}"#, 0),
    (#"{"id":"x"}"#, #"{"id":7}"#, 1), (#"{"atAtMs":1}"#, #"{"atAtMs":2}"#, 0),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"c"}}"#, 0),
  ])
  func `what an answer may differ in is only what chance and clock give`(
    shown: String, real: String, count: Int
  ) throws {
    let differences = APIExample.differences(
      try JSONValue(json: Array(shown.utf8)), try JSONValue(json: Array(real.utf8)))
    #expect(differences.count == count)
  }
}
