import HTTPListener
import AppStoreModel
import Foundation
import Testing

@testable import LedgerServer

struct ProblemCodeTests {
  private static let contracts = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/contracts")

  @Test func `the contract lists every code with its status, and no other`() throws {
    let page = try String(
      contentsOf: Self.contracts.appending(path: "error-codes.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.map { $0.split(separator: "|").prefix(2).joined().filter { $0 != " " } }
    #expect(listed == ProblemCode.allCases.map { "`\($0.rawValue)`\($0.status)" })
  }

  @Test func `the schema lists every code`() throws {
    let schema = try JSONValue(
      json: Array(Data(contentsOf: Self.contracts.appending(path: "schemas/problem.json"))))
    let codes = schema["properties"]?["code"]?["enum"]?.array?.compactMap(\.string)
    #expect(codes == ProblemCode.allCases.map(\.rawValue))
  }

  @Test func `a problem document names code, rule and request`() {
    let response = Problem(.notVerified, "No.", rule: "signature").response(id: "r-1")
    #expect(response.status == 400)
    #expect(
      String(decoding: response.body, as: UTF8.self) == """
        {"type":"/problems/notVerified","title":"The signed data does not verify.","status":400,\
        "code":"notVerified","detail":"No.","rule":"signature","instance":"r-1"}
        """)
    #expect(response.headers.contains { $0 == ("Content-Type", "application/problem+json") })
  }

  @Test(arguments: [
    (ProblemCode.unauthenticated, "WWW-Authenticate"), (.overloaded, "Retry-After"),
    (.storeUnavailable, "Retry-After"),
  ])
  func `a problem says what the client should do next`(code: ProblemCode, header: String) {
    #expect(Problem(code).response(id: "").headers.contains { $0.name == header })
  }
}
