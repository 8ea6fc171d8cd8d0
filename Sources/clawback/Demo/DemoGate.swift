import AppStoreSimulator
import FoundationEssentials

/// What a backend asks the server, over HTTP.
struct DemoGate {
  struct Answer {
    /// `granted`, `denied` or `unknown` for access; `allow` or `deny` for spend.
    let verdict: String
    let reason: String
  }

  let base: String
  let key: String
  let connection: HTTPConnection

  /// Whether a customer has the entitlement.
  func access(_ customer: String, _ entitlement: String) throws -> Answer {
    struct Body: Decodable {
      struct Decision: Decodable {
        let verdict: String
        let reason: String
      }
      let decision: Decision
    }
    let body: Body = try get("/v1/customers/\(customer)/entitlements/\(entitlement)")
    return Answer(verdict: body.decision.verdict, reason: body.decision.reason)
  }

  /// Whether something may be spent on a customer now; what may be is spent at once.
  func spend(_ milliunits: Int, on customer: String, _ entitlement: String) throws -> Answer {
    struct Body: Decodable {
      let id: String
      let decision: String
      let reason: String
    }
    let amount = "\"amount\":{\"milliunits\":\(milliunits),\"currency\":\"USD\"}"
    let body: Body = try post(
      "/v1/spend/authorizations",
      "{\"customer\":\"\(customer)\",\"entitlement\":\"\(entitlement)\",\(amount)}")
    if body.decision == "allow" {
      let settled: Body = try post("/v1/spend/authorizations/\(body.id)/settle", "{\(amount)}")
      return Answer(verdict: body.decision, reason: settled.reason)
    }
    return Answer(verdict: body.decision, reason: body.reason)
  }

  /// Whether something might be spent on a customer now; nothing is.
  func ask(for customer: String, _ entitlement: String) throws -> Answer {
    struct Body: Decodable {
      let decision: String
      let reason: String
    }
    let body: Body = try post(
      "/v1/spend/authorizations",
      "{\"customer\":\"\(customer)\",\"entitlement\":\"\(entitlement)\","
        + "\"amount\":{\"milliunits\":1,\"currency\":\"USD\"},\"holdSeconds\":1}")
    return Answer(verdict: body.decision, reason: body.reason)
  }

  /// The refunds booked for a customer, less what was reversed.
  ///
  /// Unit: milliunits of US dollars.
  func refunded(_ customer: String) throws -> Int {
    struct Body: Decodable {
      struct Entry: Decodable {
        let kind: String
        let milliunits: Int?
      }
      let entries: [Entry]
    }
    let body: Body = try get("/v1/customers/\(customer)/timeline?limit=500")
    return body.entries.filter { $0.kind == "posting" }.compactMap(\.milliunits).reduce(0, +)
  }

  private func get<Body: Decodable>(_ path: String) throws -> Body {
    try body(of: try connection.get(base + path, headers: authorization), path)
  }

  private func post<Body: Decodable>(_ path: String, _ text: String) throws -> Body {
    try body(of: try connection.post(text, to: base + path, headers: authorization), path)
  }

  private func body<Body: Decodable>(
    of answer: HTTPConnection.Answer, _ path: String
  ) throws -> Body {
    guard answer.status == 200 else {
      throw CommandFailure("The server answered \(answer.status) to \(path).")
    }
    return try JSONDecoder().decode(Body.self, from: Data(answer.body))
  }

  private var authorization: [String] { ["Authorization: Bearer \(key)"] }
}
