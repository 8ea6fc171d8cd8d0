import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import LedgerStorage
import SQLiteStorage
import Testing

/// A folder with a configuration file and a ledger, gone with the object.
final class ServedSite {
  struct App {
    let bundleId: String
    let appAppleId: Int64
    /// Signs questions to the App Store, where it is asked.
    var key: APIKey?
    /// The catalog, as it stands in the file.
    var products = ""
  }

  let folder: URL
  let realm: Realm
  var configuration: String { folder.appending(path: "clawback.json5").path }
  var log: URL { folder.appending(path: "log") }
  var logged: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
  private let apps: [App]
  private let rootPath: String?
  var database: String { folder.appending(path: "ledger.db").path }

  /// - Parameters:
  ///   - apps: Whose data is taken, in both environments.
  ///   - root: The root of a simulated App Store; `nil` trusts Apple's.
  ///   - settings: Further members of the file, as they stand in it.
  /// - Throws: What the file system says.
  init(apps: [App], root: [UInt8]? = nil, _ settings: String = "") throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "clawback-site-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    realm = try root.map { try TrustedRoot(certificate: $0).realm } ?? .apple
    self.apps = apps
    rootPath = root == nil ? nil : folder.appending(path: "root.der").path
    if let root { try Data(root).write(to: folder.appending(path: "root.der")) }
    try Data().write(to: folder.appending(path: "log"))
    try rewrite(settings)
  }

  /// Writes the configuration anew, with other further members.
  func rewrite(_ settings: String, apps others: [App]? = nil) throws {
    let list = try (others ?? apps).map(member)
    // Among a thousand other tests nothing is as fast as it is alone.
    let patience = settings.contains("spending:") ? "" : "spending: { storeTimeoutMs: 60000 },"
    let text = """
      {
        root: "\(rootPath ?? "apple")",
        environments: ["Production", "Sandbox"],
        apps: [\(list.joined(separator: ", "))],
        listen: { port: 0 },
        database: "sqlite:\(database)",
        \(patience)
        \(settings)
      }
      """
    try Data(text.utf8).write(to: folder.appending(path: "clawback.json5"))
  }

  private func member(_ app: App) throws -> String {
    let ids =
      "bundleId: \"\(app.bundleId)\", appAppleId: \(app.appAppleId), products: [\(app.products)]"
    guard let key = app.key else { return "{ \(ids) }" }
    let file = folder.appending(path: key.keyId + ".p8")
    try Data(key.key.pem.utf8).write(to: file)
    return """
      {
        \(ids),
        appStoreConnect: {
          keyFile: "\(file.path)", keyId: "\(key.keyId)", issuerId: "\(key.issuerId)"
        },
      }
      """
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes an API key by the command line, whether a server runs or not.
  func key(
    _ name: String, scope: String, app: String, environment: String = "Sandbox"
  ) throws -> String {
    let made = try ServedProcess.run([
      "keys", "create", name, "--scope", scope, "--app", app, "--environment", environment,
      "--config", configuration,
    ])
    #expect(made.code == 0, "\(made.diagnostics)")
    return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads the ledger while no server has it.
  func inspect<Value>(_ body: (LedgerReader) throws -> Value) throws -> Value {
    let store = try SQLiteStore(
      SQLiteAddress("sqlite:" + database), realm: realm,
      now: Timestamp(millisecondsSince1970: 0))
    defer { store.close() }
    return try body(Ledger(store: store, rules: .standard).makeReader())
  }
}

extension LedgerReader {
  /// Every notification that is kept, as it came.
  func notificationTexts() throws -> [String] {
    let count = try counts().facts
    let records = try (count == 0 ? [] : Array(1...count)).compactMap { try signedRecord($0) }
    return records.filter { $0.kind == .notification }
      .map { String(decoding: $0.compactForm(), as: UTF8.self) }
  }
}
