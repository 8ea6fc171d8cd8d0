import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// The worker of the examples, against the real server and a simulated App Store.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
    "the example worker is written in Python, which is not here"))
struct WorkerExampleTests {
  private static let worker = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/Worker/worker.py")

  private let site: ServedSite
  private let signer: NotificationSigner
  private var stage: Stage
  private let customer: Customer
  private let purchase: String

  init() throws {
    let authority = CertificateAuthority(seed: 3)
    signer = NotificationSigner(JWSSigner(authority))
    let app = SimulatedApp()
    site = try ServedSite(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)], root: authority.root.der)
    let now = Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
    stage = Stage(SimulatedAppStore(app: app, seed: 3), at: now.subtracting(.hours(1)))
    customer = stage.store.enroll("u")
    purchase = try stage.buy(.pro, customer)
  }

  /// Starts the worker on a job of so many seconds.
  private func start(
    _ served: ServedProcess, seconds: Int
  ) throws -> (process: Process, output: FileHandle) {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      Self.worker.path, served.url, try #require(customer.appAccountToken).lowercased(),
      SimulatedProduct.pro.id, "--seconds", String(seconds),
    ]
    process.environment = [
      "CLAWBACK_KEY": try site.key(
        "worker", scope: "spend", app: stage.store.app.bundleId,
        environment: stage.store.app.environment.rawValue)
    ]
    process.standardOutput = output
    try process.run()
    return (process, output.fileHandleForReading)
  }

  private func step(_ output: FileHandle) throws -> JSONValue {
    let line = try #require(ServedProcess.line(output))
    return try JSONValue(json: Array(line.utf8))
  }

  @Test(.timeLimit(.minutes(3)))
  func `a running job stops when its purchase is refunded, and settles what it spent`() throws {
    var stage = stage
    let served = try ServedProcess(site)
    for notification in stage.store.notifications {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
    let (process, output) = try start(served, seconds: 900)
    #expect(try step(output)["step"]?.string == "authorized")
    stage.wait(.minutes(30))
    try stage.refund(purchase)
    let refund = try #require(stage.store.notifications.last)
    #expect(try served.post(signer.sign(refund)) == 200)
    let stopped = try step(output)
    #expect(stopped["step"]?.string == "stopped")
    #expect(stopped["reason"]?.string == "refunded")
    #expect(stopped["event"]?.string?.hasPrefix("evt_") == true)
    let settled = try step(output)
    #expect(settled["step"]?.string == "settled")
    #expect(settled["milliunits"]?.integer.map { $0 < 90_000 } == true)
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(3)))
  func `a job without a refund runs to its end`() throws {
    let served = try ServedProcess(site)
    for notification in stage.store.notifications {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
    let (process, output) = try start(served, seconds: 1)
    let steps = try (0..<3).map { _ in try step(output)["step"]?.string }
    #expect(steps == ["authorized", "finished", "settled"])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(3)))
  func `a job of somebody of whom nothing is known never begins`() throws {
    let served = try ServedProcess(site)
    let (process, output) = try start(served, seconds: 1)
    let refused = try step(output)
    #expect(refused["step"]?.string == "refused")
    process.waitUntilExit()
    #expect(process.terminationStatus == 4)
    #expect(served.stop() == 0)
  }
}
