import AppStoreModel
import Foundation
import Testing

@testable import LedgerServer

/// A request of `docs/contracts/api-examples.md` with the answer that the document shows.
struct APIExample: CustomTestStringConvertible {
  /// Shape: `POST /v1/customers/{customer}/grants`.
  let route: String
  let method: String
  /// With the document's variables, as `$PURCHASE`.
  let path: String
  let fields: [String]
  let body: String
  let status: Int
  /// The schema of the answer; `nil` where it has no body.
  let schema: String?
  let answer: String

  var testDescription: String { route }

  /// All of the document, in its order.
  static func all() throws -> [APIExample] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/contracts/api-examples.md")
    return try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n### `")
      .dropFirst().map(APIExample.init)
  }

  private init(_ part: String) throws {
    route = String(part.prefix { $0 != "`" })
    let request = try #require(Self.block("sh", in: part), "\(route)")
      .replacing("\\\n", with: "")
    let target = try #require(request.firstMatch(of: /curl -X ([A-Z]+) "\$SERVER([^"]+)"/))
    (method, path) = (String(target.1), String(target.2))
    fields = request.matches(of: /-H "([^"]+)"/).map { String($0.1) }
    if let plain = request.firstMatch(of: /-d '([^']+)'/) {
      body = String(plain.1)
    } else if let escaped = request.firstMatch(of: /-d "((?:[^"\\]|\\.)+)"/) {
      body = String(escaped.1).replacing("\\\"", with: "\"")
    } else {
      body = ""
    }
    let said = try #require(
      part.firstMatch(of: /\n(\d{3}), (?:as \[([a-z-]+)\.json\]\(|without a body)/), "\(route)")
    status = Int(said.1) ?? 0
    schema = said.2.map(String.init)
    answer = Self.block("json", in: part) ?? ""
  }

  private static func block(_ language: String, in part: String) -> String? {
    let pieces = part.components(separatedBy: "```\(language)\n")
    return pieces.count == 2 ? pieces[1].components(separatedBy: "\n```").first : nil
  }

  /// Where an answer differs from the one in the document; what chance and clock give is only there in
  /// both.
  static func differences(
    _ shown: JSONValue, _ real: JSONValue, at path: String = "$"
  ) -> [String] {
    switch (shown, real) {
    case (.object(let left), .object(let right)):
      let names = (left.map(\.name), right.map(\.name))
      guard names.0.sorted() == names.1.sorted() else {
        return ["\(path) has \(names.1.sorted()) and not \(names.0.sorted())"]
      }
      return left.flatMap { member -> [String] in
        guard let value = real[member.name] else { return [] }
        let isByChance = isByChance(member.name) && isText(member.value) == isText(value)
        return isByChance ? [] : differences(member.value, value, at: path + "." + member.name)
      }
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).flatMap { differences($0, $1, at: path + "[]") }
    default: return shown == real ? [] : ["\(path) is \(real) and not \(shown)"]
    }
  }

  private static func isByChance(_ name: String) -> Bool {
    ["id", "secret", "realm", "waiting", "tookMs", "version", "url"].contains(name)
      || name.hasSuffix("TransactionId") || name.hasSuffix("AtMs") || name.hasSuffix("UntilMs")
      || ["transactionId", "spendId"].contains(name)
  }

  private static func isText(_ value: JSONValue) -> Bool { value.string != nil }
}
