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
  func `Apple's library verifies every signature of every scenario`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let authority = CertificateAuthority(seed: 11)
    let signer = NotificationSigner(JWSSigner(authority))
    let end = Timestamp(millisecondsSince1970: 1_790_000_000_000)
    let all = try Scenario.all.flatMap { try $0.played(seed: 11, endingAt: end).notifications }
    let lines = all.map { "{\"signedPayload\":\"\(signer.sign($0))\"}" }
    let root = folder.appending(path: "root.der")
    let story = folder.appending(path: "story.jsonl")
    try Data(authority.root.der).write(to: root)
    try lines.joined(separator: "\n").write(to: story, atomically: true, encoding: .utf8)
    #expect(try Self.verdicts(root.path, story.path) == all.map(Self.expected))
  }

  private static func expected(_ notification: UnsignedNotification) -> String {
    [
      notification.payload.notificationType?.rawValue, notification.transaction?.transactionId,
      notification.renewal?.productId,
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
