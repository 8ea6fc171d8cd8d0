import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// Apple's own server library, with its strict checks on, judges what the simulator signs.
struct AppleLibraryTests {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  static let python = package.appending(path: ".build/apple-library/bin/python").path

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: python),
      "Apple's library is not here: scripts/apple-library.sh installs it."))
  func `Apple's library verifies every signature of every scenario, and no forgery`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let authority = CertificateAuthority(seed: 11)
    let signer = NotificationSigner(JWSSigner(authority))
    let lines = try Scenario.all.flatMap { scenario in
      try Self.lines(of: scenario, in: .sandbox, signer)
        + (scenario.name == "34b-huge-body"
          ? [] : Self.lines(of: scenario, in: .production, signer))
    }
    let root = folder.appending(path: "root.der")
    let story = folder.appending(path: "story.jsonl")
    try Data(authority.root.der).write(to: root)
    try lines.map(\.json).joined(separator: "\n")
      .write(to: story, atomically: true, encoding: .utf8)
    let verdicts = try Self.verdicts(root.path, story.path)
    #expect(verdicts.count == lines.count)
    for (verdict, line) in zip(verdicts, lines) { #expect(verdict == line.expected) }
  }

  /// A text for Apple's library, and what it is to say.
  private struct Line {
    let json: String
    let expected: String

    init(_ name: String, _ jws: String, _ expected: String?...) {
      json = "{\"\(name)\":\"\(jws)\"}"
      self.expected = expected.compactMap { $0 }.joined(separator: " ")
    }
  }

  /// All notifications of a story, then what the store would sign of every purchase and customer.
  private static func lines(
    of scenario: Scenario, in environment: AppStoreEnvironment, _ signer: NotificationSigner
  ) throws -> [Line] {
    let end = Timestamp(millisecondsSince1970: 1_790_000_000_000)
    let store = try scenario.played(
      app: SimulatedApp(environment: environment), seed: 11, endingAt: end)
    let notifications = store.notifications.map { notification in
      Line("signedPayload", signer.sign(notification), expected(notification))
    }
    return notifications
      + store.customers.flatMap { customer in
        let download = store.appTransaction(of: customer, signedAt: end)
        return store.deviceTransactions(of: customer, signedAt: end).map {
          Line("signedTransactionInfo", signer.sign($0), $0.transactionId)
        }
          + store.deviceRenewals(of: customer, signedAt: end).map {
            Line("signedRenewalInfo", signer.sign($0), $0.originalTransactionId)
          } + [
            Line("signedAppTransactionInfo", signer.sign(download), customer.appTransactionId)
          ]
      }
  }

  /// What Apple's library passes although it is not in order.
  ///
  /// It binds no renewal to a transaction and bounds no date. It reads no third certificate, takes
  /// any body that fits the memory, and asks only that the payload's environment is the expected one.
  private static let passed: [Forgery] = [
    .otherRenewal, .futureDate, .hugeBody, .otherEnvironment,
  ]

  private static func expected(_ notification: UnsignedNotification) -> String {
    if let forgery = notification.forgery, !passed.contains(forgery) { return "refused" }
    return [
      notification.payload.notificationType?.rawValue, notification.transaction?.transactionId,
      notification.renewal?.productId, notification.appTransaction?.appTransactionId,
    ].compactMap { $0 }.joined(separator: " ")
  }

  private static func verdicts(_ root: String, _ story: String) throws -> [String] {
    let app = SimulatedApp()
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      package.appending(path: "scripts/verify_with_apple_library.py").path, root, story,
      app.bundleId, String(app.appAppleId),
    ]
    process.standardOutput = output
    try process.run()
    let words = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: words, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
