import AppStoreModel
import AppStoreSimulator
import Foundation
import HTTPListener
import Testing

/// The API client of Apple's own server library calls the simulated App Store.
struct AppleClientTests {
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: AppleLibraryTests.python),
      "Apple's library is not here: scripts/apple-library.sh installs it."))
  func `Apple's client finds its way without a special case`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let receiver = try #require(
      HTTPServer(address, limits: HTTPLimits(), handler: PatientReceiver()))
    defer { receiver.stop() }
    let authority = CertificateAuthority(seed: 12)
    let app = SimulatedApp(environment: .production)
    let now = SimulatorListener.wallClock()
    let simulated = SimulatedServer(
      SimulatedAppStore(app: app, seed: 12), seed: 12, signer: JWSSigner(authority), at: now)
    let listener = try #require(
      SimulatorListener(simulated, receiver: "http://127.0.0.1:\(receiver.port)/"))
    defer { listener.stop() }
    let root = folder.appending(path: "root.der")
    let story = folder.appending(path: "story.json")
    try Data(authority.root.der).write(to: root)
    let facts: [String: Any] = [
      "url": listener.url, "privateKey": simulated.key.key.pem, "keyId": simulated.key.keyId,
      "issuerId": simulated.key.issuerId, "bundleId": app.bundleId, "appAppleId": app.appAppleId,
      "root": root.path,
    ]
    try JSONSerialization.data(withJSONObject: facts).write(to: story)
    #expect(
      try Self.walk(story.path) == """
        {"app": "com.example.app", "complete": true, "extended": true, "history": 25, \
        "info": "com.example.app.pro", "missing": 4040010, "noOrder": 1, "notifications": 48, \
        "order": 0, "pending": false, "refunds": 22, "status": 1, "test": "SUCCESS"}

        """)
  }

  private static func walk(_ story: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: AppleLibraryTests.python)
    process.arguments = [
      AppleLibraryTests.package.appending(path: "scripts/walk_with_apple_client.py").path, story,
    ]
    process.standardOutput = output
    try process.run()
    let words = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: words, as: UTF8.self)
  }
}

/// Takes every notification.
private struct PatientReceiver: RequestHandler {
  func handle(_ request: HTTPRequest, reply: Reply) { reply.send(HTTPResponse(status: 200)) }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
}
