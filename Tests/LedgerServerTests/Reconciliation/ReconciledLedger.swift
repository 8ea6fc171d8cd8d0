import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

@testable import LedgerServer

/// A ledger that asks a simulated App Store, without HTTP and on a clock that the story moves.
final class ReconciledLedger {
  static let start = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  let scope: Scope
  let questions: SimulatedQuestions
  let moment: ServedLedger.Moment
  let configuration: Configuration
  /// `nil` only between two processes: a file is let go with the last that reads it.
  private var current: Ledger?
  private let database: String
  private let authority: CertificateAuthority
  private let signer: NotificationSigner
  private var delivered = 0

  init(
    environment: AppStoreEnvironment = .production, database: String = ":memory:",
    configured: (inout Configuration) -> Void = { _ in }
  ) throws {
    authority = CertificateAuthority(seed: 1)
    let app = SimulatedApp(environment: environment)
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      environments: [environment])
    configuration.root = .certificate(authority.root.der)
    configuration.reconciliation.isScheduled = false
    configuration.reconciliation.budgetPercent = 100
    configured(&configuration)
    self.configuration = configuration
    self.database = database
    signer = NotificationSigner(JWSSigner(authority))
    moment = ServedLedger.Moment(Self.start)
    questions = SimulatedQuestions(
      Stage(SimulatedAppStore(app: app, seed: 1), at: Self.start), signer)
    scope = Scope(
      realm: try configuration.trustedRoot().realm, bundleId: app.bundleId,
      environment: environment)
    current = try Self.open(database, configuration)
  }

  var ledger: Ledger {
    guard let current else { preconditionFailure("The ledger is not open.") }
    return current
  }

  private static func open(_ database: String, _ configuration: Configuration) throws -> Ledger {
    let store = try SQLiteStore(
      SQLiteAddress("sqlite:" + database), realm: try configuration.trustedRoot().realm,
      now: start)
    return Ledger(store: store, rules: configuration.ledgerRules)
  }

  /// Plays a part of the story; the clock follows.
  func play(_ part: (inout Stage) throws -> Void) throws {
    try questions.change { state in
      try part(&state.stage)
      moment.set(state.stage.now)
    }
  }

  /// Lets the process die and another one open what it left.
  func reopen() throws {
    current?.store.close()
    current = nil
    current = try Self.open(database, configuration)
  }

  /// Delivers what the App Store has said since the last time, but for those that are lost.
  func deliver(losing isLost: (UnsignedNotification) -> Bool = { _ in false }) throws {
    let verifier = try configuration.verifier()
    let said = questions.state.withLock { $0.stage.store.notifications }
    for notification in said[delivered...] where !isLost(notification) {
      let proved = try verifier.verifyNotification(
        Array(signer.sign(notification).utf8), now: moment.get())
      let delivery = Delivery(proved, channel: .notification, receivedAt: moment.get())
      _ = try ledger.wait { ledger.record([delivery], completion: $0) }
    }
    delivered = said.count
  }

  /// Lets the clock jump instead of resting, so that no test waits; once so many pages were asked for it
  /// rests until it is stopped, and takes no time from others.
  func reconciliation(
    log: Log = Log(descriptor: -1), pages: Int = .max
  ) throws -> Reconciliation {
    let (moment, questions) = (moment, questions)
    let clock = ServerClock { moment.get() }
    return try Reconciliation(
      configuration, ledger, try configuration.verifier(),
      source: AppStoreSource { _, _ throws(ServiceError) in questions },
      log: log, clock: clock,
      pause: ReconciliationPause { until, now in
        while questions.count(.notifications) >= pages, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(5))
        }
        moment.set(max(until, moment.get()))
        questions.change { state in
          let gap = until.millisecondsSince1970 - state.stage.now.millisecondsSince1970
          if gap > 0 { state.stage.wait(TimeSpan(milliseconds: gap)) }
        }
        // The clock jumps, and the cores are left to others meanwhile.
        try? await Task.sleep(for: .milliseconds(1))
      })
  }

  /// Compares everything once.
  @discardableResult
  func reconcile(
    log: Log = Log(descriptor: -1)
  ) async throws -> ReconciliationProgress {
    let reconciliation = try reconciliation(log: log)
    reconciliation.requestPass()
    reconciliation.start(endsAfterPass: true)
    await reconciliation.ended()
    reconciliation.stop()
    return try #require(reconciliation.progress.first)
  }

  func read<Value>(_ body: (Recorder) throws(StoreError) -> Value) throws -> Value {
    try ledger.makeReader().read(body)
  }

  func gaps() throws -> [NotificationGap] {
    try read { (recorder) throws(StoreError) in
      try recorder.gaps(in: scope, after: 0, limit: 1_000)
    }
  }

  func verdict(_ customer: Customer, _ product: SimulatedProduct) throws -> String {
    let name = customer.appAccountToken ?? "atx:" + customer.appTransactionId
    let key = CustomerKey(scope: scope, id: try #require(CustomerID(name)))
    let state = try ledger.makeReader().answer(of: key, now: moment.get())
    return state.decision(on: product.id).verdict.rawValue
  }
}
