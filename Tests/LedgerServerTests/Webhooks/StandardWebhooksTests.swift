import AppStoreModel
import AppStoreSimulator
import Foundation
import HTTPListener
import Testing

@testable import LedgerServer

/// The standard's own library judges what endpoints get.
struct StandardWebhooksTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  private static let python = package.appending(path: ".build/apple-library/bin/python").path

  private static var isInstalled: Bool {
    guard FileManager.default.isExecutableFile(atPath: python) else { return false }
    return (try? run(["-c", "import standardwebhooks; print(1)"])) == "1\n"
  }

  @Test(
    .enabled(
      if: isInstalled,
      "The library of Standard Webhooks is not here: scripts/apple-library.sh installs it."),
    .timeLimit(.minutes(4)))
  func `the official library verifies deliveries by either secret, and nothing that was changed`()
    throws
  {
    let receiver = try TestReceiver()
    let served = try ServedLedger { $0.webhooks.trustedURLs = [receiver.url] }
    defer {
      receiver.stop()
      served.stop()
    }
    // The library compares the time with its own clock.
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    served.moment.set(Timestamp(millisecondsSince1970: now))
    let old = try served.makeWebhook(receiver.url)
    let new = try MadeWebhook(served.call("POST /v1/webhooks/\(old.id)/secret", .admin).body)
    func delivery(at moment: Int64, _ number: Int) throws -> HTTPRequest {
      served.moment.set(Timestamp(millisecondsSince1970: moment))
      let answer = try served.call(
        "POST /v1/customers/u\(number)/grants", .admin,
        body: #"{"entitlement":"pro","reason":"goodwill"}"#)
      #expect([200, 201].contains(answer.status), "\(answer.body)")
      return try #require(receiver.wait(for: number).last)
    }
    let fresh = try delivery(at: now, 1)
    let stale = try delivery(at: now + 600_000, 2)
    let lines = try Self.verdicts([
      (old.secret, fresh, nil), (new.secret, fresh, nil), (new.secret, fresh, "{}"),
      ("whsec_" + String(repeating: "A", count: 44), fresh, nil), (new.secret, stale, nil),
    ])
    let type = try #require(try JSONValue(json: fresh.body)["type"]?.string)
    #expect(Array(lines.prefix(2)) == [type, type])
    #expect(lines.count == 5 && lines.dropFirst(2).allSatisfy { $0.hasPrefix("refused") })
  }

  private static func verdicts(
    _ deliveries: [(secret: String, request: HTTPRequest, body: String?)]
  ) throws -> [String] {
    let lines = try deliveries.map { delivery in
      let headers = Dictionary(
        uniqueKeysWithValues: ["webhook-id", "webhook-timestamp", "webhook-signature"].map {
          ($0, delivery.request.headers[$0] ?? "")
        })
      let body = delivery.body.map { Array($0.utf8) } ?? delivery.request.body
      let line: [String: Any] = [
        "secret": delivery.secret, "headers": headers, "body": body.hexadecimal,
      ]
      return String(
        decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let script = package.appending(path: "scripts/verify_webhooks.py").path
    return try run([script, file.path]).split(separator: "\n").map(String.init)
  }

  private static func run(_ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = words
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
