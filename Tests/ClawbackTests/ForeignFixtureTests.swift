import Foundation
import Testing

@testable import clawback

/// Thirty bad payloads and a good one that a tool of other authors made, as `inspect` judges them.
///
/// `CLAWBACK_FIXTURES` names the folder: `root.der`, and `negatives.jsonl` with an object a line,
/// whose `name` says how it was spoiled.
struct ForeignFixtureTests {
  private struct Line: Decodable {
    let name: String
    let signedPayload: String
  }

  private struct Verdict: Decodable {
    let verdict: String
    let rule: String?
  }

  private static let folder = ProcessInfo.processInfo.environment["CLAWBACK_FIXTURES"]

  private static let rules = [
    "valid": nil,
    "outer-signature-bit": "signature",
    "outer-payload-changed": "signature",
    "transaction-signature-bit": "signature",
    "renewal-signature-bit": "signature",
    "outer-other-key": "signature",
    "transaction-other-key": "signature",
    "leaf-without-marker-oid": "markers.leaf",
    "leaf-with-intermediate-oid": "markers.leaf",
    "intermediate-without-marker-oid": "markers.intermediate",
    "intermediate-not-a-ca": "chain.intermediate",
    "whole-chain-of-another-root": "chain.path",
    "another-chain-with-our-root-appended": "chain.path",
    "another-leaf-under-our-intermediate": "chain.path",
    "transaction-of-another-root": "chain.path",
    "leaf-expired-before-signedDate": "dates.expired",
    "x5c-of-two": "chain.length",
    "x5c-empty": "chain.length",
    "x5c-missing": "chain.length",
    "alg-none-without-signature": "algorithm",
    "alg-none-with-good-signature": "algorithm",
    "alg-hs256-keyed-with-public-key": "algorithm",
    "signature-in-der": "signature.length",
    "signature-all-zero": "signature",
    "signature-cut": "signature.length",
    "signature-longer": "signature.length",
    "four-segments": "form.segments",
    "wrong-bundle-id": "bundle-id",
    "transaction-of-wrong-bundle-id": "bundle-id",
    "wrong-environment": "environment",
    "transaction-of-wrong-environment": "environment",
  ]

  @Test(.enabled(if: folder != nil, "CLAWBACK_FIXTURES names no folder of made payloads"))
  func `each bad payload is refused by the rule that the contract names`() throws {
    let folder = URL(filePath: try #require(Self.folder))
    let text = try String(contentsOf: folder.appending(path: "negatives.jsonl"), encoding: .utf8)
    let lines = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(Set(lines.map(\.name)) == Set(Self.rules.keys))
    for line in lines {
      let root = folder.appending(path: "root.der").path
      let (code, verdict) = try inspect(line.signedPayload, root: root)
      let rule = try #require(Self.rules[line.name])
      #expect(verdict.rule == rule, "\(line.name)")
      #expect(verdict.verdict == (rule == nil ? "accepted" : "refused"), "\(line.name)")
      #expect(code == (rule == nil ? .success : .failure), "\(line.name)")
    }
  }

  private func inspect(_ payload: String, root: String) throws -> (ExitCode, Verdict) {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "clawback-fixture-\(UUID().uuidString)")
    try Data(payload.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let captured = CapturedConsole()
    let words = [
      "inspect", file.path, "--root", root, "--bundle-id", "com.example.app", "--environment",
      "Sandbox", "--json",
    ]
    let code = Dispatcher(commands: [InspectCommand()]).run(words, on: captured.console())
    let verdict = try JSONDecoder().decode(Verdict.self, from: Data(captured.output.utf8))
    return (code, verdict)
  }
}
