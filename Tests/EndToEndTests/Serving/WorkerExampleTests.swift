import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// A worker of the examples, as somebody would start it.
enum ExampleWorker: String, CaseIterable, Sendable {
  case python, swift

  /// Those whose language is here.
  static let here = allCases.filter { $0 != .python || Self.hasPython }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = package.appending(path: "Examples/Worker")
  private static let pythonPath = "/usr/bin/python3"
  private static var hasPython: Bool {
    FileManager.default.isExecutableFile(atPath: pythonPath)
  }

  /// The Swift worker's program; `nil` with what the compiler says where it does not build.
  private static let built: (path: String?, said: String) = {
    let output = Pipe()
    let process = Process()
    let scratch = package.appending(path: ".build/worker-example").path
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "build", "--package-path", folder.path, "--scratch-path", scratch,
      "-Xswiftc", "-warnings-as-errors",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    do {
      try process.run()
    } catch {
      return (nil, "\(error)")
    }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus == 0 ? scratch + "/debug/worker" : nil, said)
  }()

  /// What to run, and the words before its own.
  func command() throws -> (program: String, words: [String]) {
    switch self {
    case .python: (Self.pythonPath, [Self.folder.appending(path: "worker.py").path])
    case .swift: (try #require(Self.built.path, "\(Self.built.said)"), [])
    }
  }
}

/// The workers of the examples, against the real server and a simulated App Store.
struct WorkerExampleTests {
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
    _ worker: ExampleWorker, _ served: ServedProcess, seconds: Int, key: String? = nil,
    at url: String? = nil
  ) throws -> (process: Process, output: FileHandle) {
    let output = Pipe()
    let process = Process()
    let (program, words) = try worker.command()
    process.executableURL = URL(filePath: program)
    process.arguments =
      words + [
        url ?? served.url, try #require(customer.appAccountToken).lowercased(),
        SimulatedProduct.pro.id,
        "--seconds", String(seconds),
      ]
    let made = try site.key(
      "worker", scope: "spend", app: stage.store.app.bundleId,
      environment: stage.store.app.environment.rawValue)
    process.environment = ["CLAWBACK_KEY": key ?? made]
    process.standardOutput = output
    if key != nil { process.standardError = FileHandle.nullDevice }
    try process.run()
    return (process, output.fileHandleForReading)
  }

  private func step(_ output: FileHandle) throws -> JSONValue {
    let line = try #require(ServedProcess.line(output))
    return try JSONValue(json: Array(line.utf8))
  }

  @Test(.timeLimit(.minutes(10)), arguments: ExampleWorker.here)
  func `a running job stops when its purchase is refunded, and settles what it spent`(
    worker: ExampleWorker
  ) throws {
    var stage = stage
    let served = try ServedProcess(site)
    for notification in stage.store.notifications {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
    let (process, output) = try start(worker, served, seconds: 900)
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

  @Test(.timeLimit(.minutes(10)), arguments: ExampleWorker.here)
  func `a job without a refund runs to its end`(worker: ExampleWorker) throws {
    let served = try ServedProcess(site)
    for notification in stage.store.notifications {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
    let (process, output) = try start(worker, served, seconds: 1)
    let steps = try (0..<3).map { _ in try step(output)["step"]?.string }
    #expect(steps == ["authorized", "finished", "settled"])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ExampleWorker.here)
  func `a job of somebody of whom nothing is known never begins`(worker: ExampleWorker) throws {
    let served = try ServedProcess(site)
    let (process, output) = try start(worker, served, seconds: 1)
    let refused = try step(output)
    #expect(refused["step"]?.string == "refused")
    process.waitUntilExit()
    #expect(process.terminationStatus == 4)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ExampleWorker.here)
  func `a refund that comes while the connection is down stops the job once it is up again`(
    worker: ExampleWorker
  ) throws {
    var stage = stage
    let served = try ServedProcess(site)
    for notification in stage.store.notifications {
      #expect(try served.post(signer.sign(notification)) == 200)
    }
    let relay = try Relay(to: served.port)
    defer { relay.stop() }
    let (process, output) = try start(worker, served, seconds: 900, at: relay.url)
    #expect(try step(output)["step"]?.string == "authorized")
    relay.cut()
    stage.wait(.minutes(30))
    try stage.refund(purchase)
    let refund = try #require(stage.store.notifications.last)
    #expect(try served.post(signer.sign(refund)) == 200)
    relay.mend()
    let stopped = try step(output)
    #expect(stopped["step"]?.string == "stopped")
    #expect(stopped["reason"]?.string == "refunded")
    #expect(try step(output)["step"]?.string == "settled")
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ExampleWorker.here)
  func `a worker whose key is no good ends instead of waiting`(worker: ExampleWorker) throws {
    let served = try ServedProcess(site)
    let (process, output) = try start(worker, served, seconds: 1, key: "cb_spend_none")
    #expect(ServedProcess.line(output) == nil)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(served.stop() == 0)
  }
}
