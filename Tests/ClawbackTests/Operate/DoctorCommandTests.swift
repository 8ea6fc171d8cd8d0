import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import PortSupport
import Testing

@testable import clawback

/// The doctor against a simulated App Store, through a server that it starts itself.
struct DoctorCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let authority = CertificateAuthority(seed: 31)
  private let captured = CapturedConsole()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func simulator(
    receiver: String?, key: inout APIKey?
  ) throws -> SimulatorListener {
    let store = SimulatedAppStore(app: SimulatedApp(environment: .sandbox), seed: 31)
    let simulated = SimulatedServer(
      store, seed: 31, signer: JWSSigner(authority), at: SimulatorListener.wallClock())
    key = simulated.key
    return try #require(SimulatorListener(simulated, receiver: receiver))
  }

  /// Writes a configuration.
  private func configure(
    _ simulator: SimulatorListener, _ key: APIKey, port: UInt16, issuer: String? = nil,
    root: [UInt8]? = nil
  ) throws -> String {
    let keyPath = folder.appending(path: "key.p8").path
    try Data(key.key.pem.utf8).write(to: URL(filePath: keyPath))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
    let rootPath = folder.appending(path: "root.der").path
    try Data(root ?? authority.root.der).write(to: URL(filePath: rootPath))
    let path = folder.appending(path: "clawback.json5").path
    let text = """
      {
        root: "\(rootPath)", environments: ["Sandbox"],
        apps: [{
          bundleId: "com.example.app",
          appStoreConnect: {
            keyFile: "\(keyPath)", keyId: "\(key.keyId)", issuerId: "\(issuer ?? key.issuerId)",
          },
        }],
        appStoreServerAPI: {
          production: "\(simulator.url)", sandbox: "\(simulator.url)/sandbox",
        },
        listen: { port: \(port) },
        database: "sqlite:\(folder.appending(path: "ledger.db").path)",
      }
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Runs the command on a thread of its own: it waits for work on those that tests run on.
  private func run(_ words: String...) async -> ExitCode {
    let console = captured.console()
    return await withCheckedContinuation { continuation in
      Thread {
        continuation.resume(
          returning: Dispatcher(commands: [DoctorCommand()]).run(["doctor"] + words, on: console))
      }.start()
    }
  }

  private func levels() throws -> [String] {
    #expect(try JSONSchema("doctor").findings(in: captured.output) == [])
    let report = try JSONValue(json: Array(captured.output.utf8))
    return (report["checks"]?.array ?? []).map {
      "\($0["check"]?.string ?? "") \($0["level"]?.string ?? "")"
    }
  }

  @Test func `a set-up that works is well`() async throws {
    var key: APIKey?
    let port = FreePort.find()
    let simulator = try simulator(
      receiver: "http://127.0.0.1:\(port)/apple/notifications", key: &key)
    defer { simulator.stop() }
    let path = try configure(simulator, try #require(key), port: port)
    #expect(await run("--config", path, "--json") == .success)
    #expect(
      try levels() == [
        "configuration ok", "root ok", "listener ok", "server ok", "key ok", "authorization ok",
        "clock ok", "testNotification ok",
      ])
  }

  @Test func `another root than the one that signs is told`() async throws {
    var key: APIKey?
    let port = FreePort.find()
    let receiver = "http://127.0.0.1:\(port)/apple/notifications"
    let simulator = try simulator(receiver: receiver, key: &key)
    defer { simulator.stop() }
    let foreign = CertificateAuthority(seed: 32).root.der
    let path = try configure(simulator, try #require(key), port: port, root: foreign)
    #expect(await run("--config", path) == .failure)
    #expect(captured.output.contains("refused by rule chain.path"))
  }

  @Test func `an App Store without our URL is told`() async throws {
    var key: APIKey?
    let simulator = try simulator(receiver: nil, key: &key)
    defer { simulator.stop() }
    let path = try configure(simulator, try #require(key), port: FreePort.find())
    #expect(await run("--config", path) == .failure)
    #expect(captured.output.contains("has no URL for this environment's notifications"))
  }

  @Test func `a wrong path in the URL is told as Apple sees it`() async throws {
    var key: APIKey?
    let port = FreePort.find()
    let simulator = try simulator(receiver: "http://127.0.0.1:\(port)/elsewhere", key: &key)
    defer { simulator.stop() }
    let path = try configure(simulator, try #require(key), port: port)
    #expect(await run("--config", path) == .failure)
    #expect(captured.output.contains("UNSUCCESSFUL_HTTP_RESPONSE_CODE"))
  }

  @Test func `a wrong issuer is told`() async throws {
    var key: APIKey?
    let simulator = try simulator(receiver: nil, key: &key)
    defer { simulator.stop() }
    let path = try configure(simulator, try #require(key), port: FreePort.find(), issuer: "nobody")
    #expect(await run("--config", path, "--json") == .failure)
    #expect(try levels().contains("authorization failed"))
    #expect(try levels().contains("testNotification skipped"))
  }

  @Test func `a simulated App Store that does not run is told by its address`() async throws {
    var key: APIKey?
    let simulator = try simulator(receiver: nil, key: &key)
    let path = try configure(simulator, try #require(key), port: FreePort.find())
    simulator.stop()
    #expect(await run("--config", path) == .failure)
    let said = captured.output.split(separator: "\n").drop { !$0.contains("Nobody answers at") }
    #expect(said.first?.contains(simulator.url + "/sandbox: ") == true)
    #expect(said.dropFirst().first?.contains("appStoreServerAPI of the configuration") == true)
    #expect(!captured.output.contains("proxy between"))
  }

  @Test func `a configuration that cannot be read is unusable`() async {
    #expect(await run("--config", folder.appending(path: "none.json5").path) == .unusable)
  }
}
