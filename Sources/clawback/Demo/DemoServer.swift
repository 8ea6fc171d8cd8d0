import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import FoundationEssentials
import Glibc
import LedgerServer
import SQLiteStorage

/// The real server, for the length of a demo: a durable ledger in a folder of its own.
struct DemoServer {
  /// Shape: an HTTP address without a path.
  let base: String
  /// The secret of a key that may spend and read.
  let key: String

  private let service: LedgerService
  private let log: Log
  private let silence: Int32
  private let folder: URL

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - root: the only root certificate to trust, in DER form.
  ///   - port: where; 0 takes a free one.
  ///   - trustedWebhooks: addresses on this machine that webhooks may go to.
  /// - Throws: ``CommandFailure`` when the server or its folder cannot be made.
  init(trusting root: [UInt8], port: UInt16, trustedWebhooks: Set<String> = []) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "clawback-demo-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    silence = open("/dev/null", O_WRONLY | O_CLOEXEC)
    log = Log(descriptor: silence)
    var configuration = Self.configuration(root, port, folder)
    configuration.webhooks.trustedURLs = trustedWebhooks
    service = try Self.start(configuration, log)
    base = "http://127.0.0.1:\(service.port)"
    key = try Self.makeKey(service)
  }

  func stop() {
    service.stop()
    log.close()
    close(silence)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func configuration(
    _ root: [UInt8], _ port: UInt16, _ folder: URL
  ) -> Configuration {
    let app = SimulatedApp()
    let pro = CatalogEntry(
      productId: SimulatedProduct.pro.id, effectiveFrom: .distantPast,
      entitlements: [DemoStory.entitlement], isFamilyShareable: true)
    var configuration = Configuration(
      apps: [
        Configuration.App(bundleId: app.bundleId, appAppleId: app.appAppleId, catalog: [pro])
      ], environments: [.sandbox])
    configuration.root = .certificate(root)
    configuration.listener.port = port
    configuration.spending.storeTimeout = .minutes(1)
    configuration.database = "sqlite:" + folder.appending(path: "ledger.db").path
    return configuration
  }

  private static func start(
    _ configuration: Configuration, _ log: Log
  ) throws(CommandFailure) -> LedgerService {
    let store = try OpenedLedger.open(configuration, socketPath: nil)
    do throws(ServiceError) {
      return try LedgerService(configuration, store: store, log: log)
    } catch {
      store.close()
      throw CommandFailure(error)
    }
  }

  /// Has every event posted to an address from now on.
  func makeWebhook(_ url: String) throws {
    let request = """
      {"command":"webhooks.create","url":"\(url)","environment":"Sandbox"}
      """
    let answer = service.operations.run(try JSONValue(json: Array(request.utf8)))
    guard try JSONValue(json: answer)["webhook"] != nil else {
      throw CommandFailure("The server made no webhook.")
    }
  }

  private static func makeKey(_ service: LedgerService) throws -> String {
    let request = """
      {"command":"keys.create","name":"demo","scope":"spend",\
      "apps":["\(SimulatedApp().bundleId)"],"environment":"Sandbox"}
      """
    let answer = service.operations.run(try JSONValue(json: Array(request.utf8)))
    guard let secret = try JSONValue(json: answer)["secret"]?.string else {
      throw CommandFailure("The server made no key.")
    }
    return secret
  }
}
