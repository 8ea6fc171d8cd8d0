import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

/// No misspelt member of a request is passed over.
struct BodyShapeTests {
  /// A route that takes a body, as programs are told of it.
  private struct Taking {
    let line: String
    let schema: JSONValue?
  }

  private static func routes(_ served: ServedLedger) throws -> [Taking] {
    let described = try served.call("GET /openapi.json", .read).body
    let paths = try JSONValue(json: Array(described.utf8))["paths"]
    guard case .object(let members)? = paths else { return [] }
    return members.filter { $0.name.hasPrefix("/v1/") }.flatMap { path in
      ["post", "put", "patch", "delete"].compactMap { method in
        path.value[method].map { operation in
          Taking(
            line: "\(method.uppercased()) \(filled(path.name))",
            schema: operation["requestBody"]?["content"]?["application/json"]?["schema"])
        }
      }
    }
  }

  private static func filled(_ path: String) -> String {
    path.split(separator: "/").map { $0.hasPrefix("{") ? "/x" : "/\($0)" }.joined()
  }

  /// Bodies that have one member too many, each with the name that was meant.
  private static func misspelt(_ schema: JSONValue?) -> [(body: String, meant: String)] {
    guard let schema else { return [] }
    if let items = schema["items"] { return misspelt(items).map { ("[\($0.body)]", $0.meant) } }
    guard case .object(let members)? = schema["properties"] else { return [] }
    return members.flatMap { member -> [(body: String, meant: String)] in
      let name = member.name
      let wrong = String(name.prefix(1)) + name.dropFirst(2)
      let inner = misspelt(member.value).map { ("{\"\(name)\":\($0.body)}", $0.meant) }
      return [("{\"\(wrong)\":1}", name)] + inner
    }
  }

  @Test func `every writing route refuses a misspelt member and names the right one`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let routes = try Self.routes(served)
    #expect(routes.count >= 25)
    #expect(routes.count { $0.schema != nil } >= 14)
    for route in routes {
      for (body, meant) in Self.misspelt(route.schema) {
        let answer = try served.call(route.line, .admin, body: body)
        #expect(answer.status == 400, "\(route.line) \(body)")
        #expect(answer.body.contains("malformedBody"), "\(route.line) \(body)")
        #expect(answer.body.contains(" is \(meant) meant?"), "\(route.line) \(body) \(answer.body)")
      }
      let strange = try served.call(
        route.line, .admin,
        body: route.schema?["items"] == nil ? #"{"nonsense":1}"# : #"[{"nonsense":1}]"#)
      #expect(strange.body.contains("nonsense is unknown"), "\(route.line) \(strange.body)")
    }
  }

  @Test func `a member inside another is named with its path`() throws {
    let shape = SpendQuestion.shape
    let json = try JSONValue(json: Array(#"{"amount":{"curency":"USD"}}"#.utf8))
    let problem = #expect(throws: Problem.self) { try shape.check(json) }
    #expect(problem?.detail == "amount.curency is unknown; is currency meant?")
    let list = try JSONValue(json: Array(#"[{},{"custmer":"u"}]"#.utf8))
    let second = #expect(throws: Problem.self) { try BodyShape.list(of: shape).check(list) }
    #expect(second?.detail == "1.custmer is unknown; is customer meant?")
  }

  @Test func `what Apple posts, and what a newer app reports, may have members of any name`() throws
  {
    let served = try ServedLedger()
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    let jws = served.signer.sign(served.stage.store.notifications[0])
    let posted = try served.call(
      "POST /apple/notifications", body: #"{"signedPayload":"\#(jws)","newMember":{"a":1}}"#)
    #expect(posted.status == 200)
    let copy = try #require(served.deviceCopies(of: customer).first)
    let report = #"{"signedTransactions":["\#(copy)"],"newMember":1}"#
    #expect(try served.call("POST /v1/transactions", .device, body: report).status == 200)
    #expect(try served.call("POST /v1/transactions", .spend, body: report).status == 400)
  }
}
