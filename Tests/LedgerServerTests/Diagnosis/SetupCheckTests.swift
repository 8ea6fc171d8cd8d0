import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import Foundation
import Testing

@testable import LedgerServer

/// What can be told from the configuration and this machine alone.
struct SetupCheckTests {
  private static let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let path = folder.appending(path: name).path
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private static func configuration() -> Configuration {
    Configuration(apps: [.init(bundleId: "com.example.app")], environments: [.sandbox])
  }

  private func levels(_ configuration: Configuration) -> [String] {
    SetupCheck(configuration, now: Self.now).findings
      .map { "\($0.check.rawValue) \($0.level.rawValue)" }
  }

  @Test func `Apple's root and a loopback address are well`() {
    let check = SetupCheck(Self.configuration(), now: Self.now)
    #expect(levels(Self.configuration()) == ["configuration ok", "root ok", "listener ok"])
    #expect(
      check.findings[1].text.contains(
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"))
  }

  @Test func `a root and an address that do not belong together are told`() {
    var simulated = Self.configuration()
    simulated.root = .certificate(CertificateAuthority(seed: 3).root.der)
    #expect(levels(simulated)[1] == "root warning")
    simulated.appStoreServerAPI.sandboxURL = "http://127.0.0.1:9090/sandbox"
    #expect(levels(simulated)[1] == "root ok")
    var apple = Self.configuration()
    apple.appStoreServerAPI.productionURL = "http://127.0.0.1:9090"
    #expect(levels(apple)[1] == "root warning")
  }

  @Test func `a root that cannot be read is told`() {
    var configuration = Self.configuration()
    configuration.root = .file(path: "/nowhere.der")
    #expect(levels(configuration)[1] == "root failed")
    configuration.root = .certificate([1, 2, 3])
    #expect(levels(configuration)[1] == "root failed")
  }

  @Test(
    arguments: [
      ("0.0.0.0", false, "listener failed"), ("0.0.0.0", true, "listener ok"),
      ("localhost", false, "listener failed"), ("::1", false, "listener ok"),
    ])
  func `an address that others can reach needs TLS or a proxy`(
    host: String, isAllowed: Bool, expected: String
  ) {
    var configuration = Self.configuration()
    configuration.listener.host = host
    configuration.listener.allowsPlainPublic = isAllowed
    #expect(levels(configuration)[2] == expected)
  }

  @Test func `a certificate that is none is told`() throws {
    var configuration = Self.configuration()
    configuration.listener.certificatePath = try file("cert.pem", "none")
    configuration.listener.keyPath = try file("key.pem", "none")
    #expect(levels(configuration).suffix(2) == ["listener ok", "certificate failed"])
    configuration.listener.certificatePath = "/nowhere.pem"
    #expect(levels(configuration).last == "certificate failed")
  }

  @Test(arguments: [
    (TimeSpan.seconds(0), 30, "ok"), (.seconds(0), 3, "warning"), (.hours(-2), 30, "failed"),
    (.days(4), 3, "failed"),
  ])
  func `a certificate is told of before it is over`(
    later: TimeSpan, days: Int, level: String
  ) throws {
    let identity = try TestIdentity(days: days)
    var configuration = Self.configuration()
    configuration.listener.certificatePath = identity.certificatePath
    configuration.listener.keyPath = identity.keyPath
    let now = WallClock.now.adding(later)
    let finding = SetupCheck(configuration, now: now).findings.last
    #expect(finding?.check == .certificate)
    #expect(finding?.level.rawValue == level)
    #expect((finding?.advice == nil) == (level == "ok"))
  }

  @Test func `an app without a usable key is told`() throws {
    #expect(try level("none") == .failed)
    var app = Configuration.App(bundleId: "com.example.app")
    let check = SetupCheck(Self.configuration(), now: Self.now)
    #expect(check.key(of: app).finding.level == .skipped)
    app.appStoreConnect = .init(keyPath: "/nowhere.p8", keyId: "K", issuerId: "I")
    #expect(check.key(of: app).finding.level == .failed)
  }

  private func level(_ text: String, mode: Int = 0o600) throws -> Finding.Level {
    var app = Configuration.App(bundleId: "com.example.app")
    app.appStoreConnect = .init(
      keyPath: try file("key.p8", text, mode: mode), keyId: "K", issuerId: "I")
    let check = SetupCheck(Self.configuration(), now: Self.now)
    return check.key(of: app).finding.level
  }
}
