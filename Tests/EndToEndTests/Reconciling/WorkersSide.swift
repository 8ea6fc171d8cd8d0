import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import LedgerServer
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

/// A reconciler's workers, our client, and a simulated App Store over HTTP, on one clock.
final class WorkersSide {
  let clock: TurnedClock
  let listener: SimulatorListener
  let ledger: Ledger
  let scope: Scope
  let store: SimulatedAppStore
  private let configuration: Configuration
  private let signer: NotificationSigner
  private let log: Log
  private let logFile: URL
  private let told = Told()

  private final class Told: Sendable {
    let events = Mutex<[ClientEvent]>([])
  }

  /// Plays a story in production that nobody hears of.
  ///
  /// `limits` is what the client keeps to; the clock begins where the story ends.
  init(
    workers: Int = 4, limits: RateLimits = RateLimits(), _ story: (inout Stage) throws -> Void,
    _ prepare: (inout SimulatedServer) -> Void = { _ in }
  ) throws {
    let authority = CertificateAuthority(seed: 41)
    let app = SimulatedApp(environment: .production)
    var stage = Stage(
      SimulatedAppStore(app: app, seed: 41), at: Timestamp(millisecondsSince1970: 1_790_000_000_000)
    )
    try story(&stage)
    store = stage.store
    clock = TurnedClock(stage.now)
    let jws = JWSSigner(authority)
    var server = SimulatedServer(store, seed: 41, signer: jws, at: stage.now)
    prepare(&server)
    let opened = SimulatorListener(server, clock: { [clock] in clock.now })
    listener = try #require(opened)
    signer = NotificationSigner(jws)

    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      environments: [.production])
    configuration.root = .certificate(authority.root.der)
    configuration.reconciliation.isScheduled = false
    configuration.reconciliation.workers = workers
    configuration.reconciliation.budgetPercent = 100
    self.configuration = configuration
    let realm = try configuration.trustedRoot().realm
    scope = Scope(realm: realm, bundleId: app.bundleId, environment: .production)
    ledger = Ledger(
      store: try SQLiteStore(.memory, realm: realm, now: stage.start),
      rules: configuration.ledgerRules)

    logFile = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: logFile)
    log = Log(descriptor: open(logFile.path, O_WRONLY | O_APPEND))
    var settings = ClientSettings()
    settings.limits = limits
    settings.hosts = try AppStoreHosts(
      production: listener.url, sandbox: listener.url + "/sandbox")
    client = try AppStoreServerClient(
      AppCredentials(
        bundleId: app.bundleId, issuerId: server.key.issuerId, keyId: server.key.keyId,
        key: SigningKey(p8: Array(server.key.key.pem.utf8))),
      settings, clock: clock.client
    ) { [told, log] event in
      told.events.withLock { $0.append(event) }
      log.note(event)
    }
  }

  private let client: AppStoreServerClient

  deinit {
    listener.stop()
    ledger.store.close()
    try? FileManager.default.removeItem(at: logFile)
  }

  /// Delivers what the App Store has said so far, but for what is lost.
  func deliver(losing isLost: (UnsignedNotification) -> Bool) throws {
    let verifier = try configuration.verifier()
    let deliveries = try store.notifications.filter { !isLost($0) }.map { notification in
      Delivery(
        try verifier.verifyNotification(Array(signer.sign(notification).utf8), now: clock.now),
        channel: .notification, receivedAt: clock.now)
    }
    _ = try ledger.wait { ledger.record(deliveries, completion: $0) }
  }

  /// Compares everything once, and then what is still to be asked a while later.
  @discardableResult
  func reconcile() async throws -> ReconciliationProgress {
    let reconciliation = try Reconciliation(
      configuration, ledger, try configuration.verifier(),
      source: AppStoreSource([client], clock: clock.server), log: log, clock: clock.server,
      pause: clock.pause)
    reconciliation.requestPass()
    reconciliation.start(endsAfterPass: true)
    await reconciliation.ended()
    reconciliation.stop()
    return try #require(reconciliation.progress.first)
  }

  var events: [ClientEvent] { told.events.withLock { $0 } }
  var journal: [JournalEntry] { listener.withServer { server, _ in server.journal.entries } }

  /// What was logged; nothing more can be afterwards.
  func logged() throws -> String {
    log.close()
    return try String(contentsOf: logFile, encoding: .utf8)
  }

  func news(_ kind: LedgerEvent.Kind) throws -> Int {
    try ledger.makeReader().events(after: 0, limit: 100_000).count { $0.type == kind.rawValue }
  }

  /// What the ledger says that is not so; one line for each.
  func disagreements() throws -> [String] {
    let (truth, now) = try listener.withServer { server, now in
      (try #require(server.store(.production)), server.storeTime(at: now))
    }
    let reader = try ledger.makeReader()
    var lines: [String] = []
    for customer in truth.customers {
      let name = customer.appAccountToken ?? "atx:" + customer.appTransactionId
      let key = CustomerKey(scope: scope, id: try #require(CustomerID(name)))
      let state = try reader.answer(of: key, now: now)
      for product in truth.catalog where product.type != .nonRenewingSubscription {
        let decision = state.decision(on: product.id)
        if (decision.verdict == .granted) != truth.grants(product.id, to: customer, at: now) {
          lines.append("\(customer.name) \(product.shortName) \(decision.reason.rawValue)")
        }
      }
    }
    let refunds = try reader.read { (recorder) throws(StoreError) in
      try recorder.refunds(in: scope, afterChain: 0, limit: 100_000).refunds
    }
    let told = refunds.compactMap(\.refund.netRefund).reduce(0) { $0 + $1.milliunits }
    let money = truth.refunded(in: Currency(code: "USD")).milliunits
    return told == money ? lines : lines + ["money \(told), in truth \(money)"]
  }

  func gaps() throws -> [NotificationGap] {
    try ledger.makeReader().read { (recorder) throws(StoreError) in
      try recorder.gaps(in: scope, after: 0, limit: 100_000)
    }
  }
}
