import Foundation
import Testing

@testable import clawback

struct AppleClientLinesTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  private static let lines = AppleClientLines(
    baseURL: "http://127.0.0.1:9000/sandbox", keyFile: "/tmp/key.p8", keyId: "K", issuerId: "I",
    bundleId: "B", environment: "Sandbox")

  @Test(arguments: [lines.python, lines.node, lines.java, lines.swift])
  func `the guide shows what is printed`(lines: [String]) throws {
    let guide = try String(
      contentsOf: Self.package.appending(path: "docs/simulator.md"), encoding: .utf8)
    #expect(lines.count == 3)
    for line in lines {
      let shown = line.replacing("\"K\", \"I\", \"B\"", with: "NAMES")
        .replacing("keyId: \"K\", issuerId: \"I\", bundleId: \"B\"", with: "NAMES")
      #expect(guide.contains(shown), "\(shown)")
    }
  }

  @Test func `a path with quotes stays one text in every language`() {
    let lines = AppleClientLines(
      baseURL: "http://127.0.0.1:9000", keyFile: #"/tmp/a "key".p8"#, keyId: "K", issuerId: "I",
      bundleId: "B", environment: "Production")
    for text in [lines.python, lines.node, lines.java, lines.swift] {
      #expect(text.joined().contains(#""/tmp/a \"key\".p8""#))
    }
    #expect(lines.python[1].hasSuffix("Environment.PRODUCTION)"))
  }
}
