import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import Testing

@testable import clawback

/// A configuration whose App Store is a simulated one over HTTP, and commands that use it.
final class AskedSite {
  let simulator: SimulatorListener
  let captured = CapturedConsole()
  let configuration: String
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// Plays a story that ends two hours ago, of which nothing was heard.
  ///
  /// - Parameters:
  ///   - hasMute: Whether there is a second app, which has no key.
  ///   - story: What happened.
  ///   - prepare: What the store is like.
  /// - Throws: Where the files cannot be written, or the story cannot happen.
  init(
    hasMute: Bool = false, _ story: (inout Stage) throws -> Void,
    _ prepare: (inout SimulatedServer) -> Void = { _ in }
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = CertificateAuthority(seed: 51)
    let now = SimulatorListener.wallClock()
    let app = SimulatedApp(environment: .production)
    var stage = Stage(
      SimulatedAppStore(app: app, seed: 51), at: now.subtracting(.days(10)))
    try story(&stage)
    var server = SimulatedServer(stage.store, seed: 51, signer: JWSSigner(authority), at: now)
    prepare(&server)
    simulator = try #require(SimulatorListener(server))
    configuration = folder.appending(path: "clawback.json5").path
    let key = folder.appending(path: "key.p8").path
    try Data(server.key.key.pem.utf8).write(to: URL(filePath: key))
    try Data(authority.root.der).write(to: folder.appending(path: "root.der"))
    try Data(
      """
      {
        root: "\(folder.appending(path: "root.der").path)", environments: ["Production"],
        apps: [{
          bundleId: "\(app.bundleId)", appAppleId: \(app.appAppleId),
          products: [{ productId: "com.example.app.yacht", entitlements: ["sea"] }],
          appStoreConnect: {
            keyFile: "\(key)", keyId: "\(server.key.keyId)", issuerId: "\(server.key.issuerId)",
          },
        }\(hasMute ? ", { bundleId: 'com.example.mute', appAppleId: 5 }" : "")],
        appStoreServerAPI: {
          production: "\(simulator.url)", sandbox: "\(simulator.url)/sandbox",
        },
        reconciliation: { scheduled: false },
        database: "sqlite:\(folder.appending(path: "ledger.db").path)",
      }
      """.utf8
    ).write(to: URL(filePath: configuration))
  }

  /// After a subscription, a purchase and its refund, all of which were missed and then found.
  static func reconciled(hasMute: Bool = false) async throws -> AskedSite {
    let site = try AskedSite(hasMute: hasMute) { stage in
      let ada = stage.store.enroll("Ada")
      _ = try stage.buy(.pro, ada)
      try stage.refund(try stage.buy(.themes, ada))
    }
    #expect(await site.run("reconcile", "--json") == (hasMute ? .failure : .success))
    return site
  }

  deinit {
    simulator.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a file beside the configuration.
  func file(_ name: String, _ text: String) throws -> String {
    let path = folder.appending(path: name)
    try Data(text.utf8).write(to: path)
    return path.path
  }

  /// Runs a command on a thread of its own: it waits for work on those that tests run on.
  func run(_ words: String..., isWatched: Bool = false) async -> ExitCode {
    await run(words, as: captured.console(isWatched: isWatched))
  }

  func run(_ words: [String], on console: CapturedConsole) async -> ExitCode {
    await run(words, as: console.console())
  }

  private func run(_ words: [String], as console: Console) async -> ExitCode {
    let all = words + ["--config", configuration]
    return await withCheckedContinuation { continuation in
      Thread {
        continuation.resume(
          returning: Dispatcher(commands: CommandList.all).run(all, on: console))
      }.start()
    }
  }

  /// What the last command printed, which `json` was asked of.
  func printed() throws -> JSONValue {
    let line = try #require(captured.output.split(separator: "\n").last)
    return try JSONValue(json: Array(line.utf8))
  }

  func calls(_ endpoint: APIEndpoint) -> Int {
    simulator.withServer { server, _ in server.calls[endpoint] ?? 0 }
  }
}
