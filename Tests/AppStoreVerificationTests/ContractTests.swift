import AppStoreModel
import AppStoreVerification
import Foundation
import Testing

/// What docs/contracts/verification-rules.md promises of the list of rules.
struct ContractTests {
  @Test func `the contract lists every rule in its order of precedence`() throws {
    let table = try Self.rows(after: "| id | refused when |")
    #expect(table.compactMap(\.first) == VerificationRule.allCases.map { "`\($0.rawValue)`" })
  }

  @Test func `the contract names the rule of each bad payload`() throws {
    let table = try Self.rows(after: "| spoiled | in | rule |")
    let expected = BadPayloadTests.rows.map { [$0.part.rawValue, "`\($0.rule.rawValue)`"] }
    #expect(table.map { Array($0.dropFirst()) } == expected)
  }

  @Test func `the groups stand in the documented order`() {
    var groups: [String] = []
    for rule in VerificationRule.allCases {
      let group = String(rule.rawValue.prefix { $0 != "." })
      if groups.last != group { groups.append(group) }
    }
    #expect(
      groups == [
        "form", "algorithm", "chain", "markers", "dates", "signature", "app-id", "bundle-id",
        "environment", "binding",
      ])
  }

  @Test(arguments: VerificationRule.allCases)
  func `a refusal says what is wrong, what to do, and nothing of the data`(rule: VerificationRule) {
    let error = VerificationError(rule, in: .transaction)
    #expect(error.rule == rule.rawValue)
    #expect(
      error.description == "transaction refused by rule \(rule.rawValue): \(rule.explanation)")
    #expect(!error.advice.isEmpty && error.advice == rule.advice)
    #expect(!error.isTransient)
  }

  @Test func `only what is judged after the signature proves where a body came from`() {
    let after = VerificationRule.allCases.filter(\.isJudgedAfterSignature)
    #expect(after == [.appID, .bundleID, .environment, .binding])
    #expect(VerificationError(.environment, in: .notification).isOriginProved)
    #expect(!VerificationError(.signature, in: .notification).isOriginProved)
  }

  /// The cells of the table that begins with the line `head`.
  private static func rows(after head: String) throws -> [[String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "docs/contracts/verification-rules.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    return lines.drop { $0 != head }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
