import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import LedgerStorage
import SQLiteStorage
import Testing

/// A story that ends now, in a simulated App Store that answers over HTTP, and a site that asks it.
final class AskedStore {
  let listener: SimulatorListener
  let site: ServedSite
  let app: SimulatedApp
  /// When the story begins.
  let start: Timestamp
  /// Names the purchases of the story.
  let stage: Stage
  let scope: Scope
  private let root: [UInt8]
  private let key: APIKey
  private let settings: String

  /// Plays a story and opens the store; nothing is delivered before somebody says where to.
  ///
  /// Without a receiver Apple believes that all of it arrived. `story` is a scenario file, `settings`
  /// are further members of the server's configuration.
  init(
    _ story: String, _ settings: String = "", seed: UInt64 = 31, hasReceiver: Bool = true,
    clock: @escaping SimulatorListener.HostClock = SimulatorListener.wallClock,
    _ prepare: (inout SimulatedServer) -> Void = { _ in }
  ) throws {
    let scenario = try Scenario(json5: Array(story.utf8), name: "story")
    let authority = CertificateAuthority(seed: seed)
    let now = clock()
    stage = try scenario.staged(seed: seed, endingAt: now)
    app = stage.store.app
    start = stage.start
    var server = SimulatedServer(
      stage.store, seed: seed, signer: JWSSigner(authority), faults: scenario.faults, from: start,
      hasReceiver: hasReceiver, at: now)
    prepare(&server)
    let opened = SimulatorListener(server, clock: clock)
    listener = try #require(opened)
    root = authority.root.der
    key = server.key
    self.settings = """
      appStoreServerAPI: { production: "\(listener.url)", sandbox: "\(listener.url)/sandbox" },
      \(settings)
      """
    site = try Self.site(app, key, root, self.settings)
    scope = Scope(realm: site.realm, bundleId: app.bundleId, environment: app.environment)
  }

  deinit { listener.stop() }

  private static func site(
    _ app: SimulatedApp, _ key: APIKey, _ root: [UInt8], _ settings: String
  ) throws -> ServedSite {
    try ServedSite(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId, key: key)], root: root,
      settings)
  }

  /// A site of the same kind with a copy of the ledger, which nobody may have open.
  func anotherSite() throws -> ServedSite {
    let other = try Self.site(app, key, root, settings)
    try FileManager.default.copyItem(atPath: site.database, toPath: other.database)
    return other
  }

  var environment: AppStoreEnvironment { app.environment }

  /// Makes the ledger, as if it had been there since a moment.
  func openLedger(since moment: Timestamp) throws {
    try SQLiteStore(SQLiteAddress("sqlite:" + site.database), realm: site.realm, now: moment)
      .close()
  }

  /// The store as it is by now, and its time.
  func store() throws -> (store: SimulatedAppStore, now: Timestamp) {
    try listener.withServer { [environment] server, now in
      (try #require(server.store(environment)), server.storeTime(at: now))
    }
  }

  /// Everything that the store has to deliver, with its attempts.
  func sent() throws -> [OutgoingNotification] {
    try listener.withServer { [environment] server, _ in
      try #require(server.outbox(environment)).notifications
    }
  }

  /// Waits until everything that is due was posted.
  func awaitDelivery() async throws {
    try await until("everything due was posted") {
      try self.listener.withServer { [environment] server, now in
        let due = try #require(server.outbox(environment)).nextDue()
        return due.map { $0 > server.storeTime(at: now) } ?? true
      }
    }
  }

  /// Asks again and again, giving way each time, for two minutes at most.
  func until(_ what: String, _ isSo: () throws -> Bool) async throws {
    let end = SimulatorListener.wallClock().adding(.minutes(2))
    while try !isSo() {
      try #require(SimulatorListener.wallClock() < end, "\(what): in vain")
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// One of the controls that a tester has.
  func control(_ word: String, _ body: String) {
    let segments = (environment == .sandbox ? ["sandbox"] : []) + ["control", word]
    let answer = listener.withServer { server, now in
      server.answer(APIRequest("POST", segments, body: Array(body.utf8)), at: now)
    }
    #expect(answer.status == 200, "\(word) \(String(decoding: answer.body, as: UTF8.self))")
  }

  func customer(_ name: String) throws -> Customer {
    try #require(try store().store.customers.first { $0.name == name }, "\(name)")
  }

  /// How the server names a customer.
  func name(of customer: Customer) -> String {
    customer.appAccountToken ?? "atx:" + customer.appTransactionId
  }
}
