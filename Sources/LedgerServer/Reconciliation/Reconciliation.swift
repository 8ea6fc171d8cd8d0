package import AppStoreModel
package import AppStoreVerification
import EntitlementLedger
import Glibc
package import LedgerStorage
import Synchronization

/// Compares what Apple knows with what we stored, in every app and environment that has a key.
package final class Reconciliation: Sendable {
  private let ledger: Ledger
  private let reconcilers: [Reconciler]
  private let clock: ServerClock
  private let running = Mutex<Running?>(nil)
  /// Apps without a key, of which nothing can be asked.
  package let appsWithoutKey: [String]

  private struct Running: Sendable {
    let executor: WorkerTaskExecutor
    let tasks: [Task<Void, Never>]
  }

  /// Prepares to ask; nothing is asked before ``start(endsAfterPass:)``.
  ///
  /// - Throws: ``ServiceError`` when a key cannot be read or the store cannot.
  package init(
    _ configuration: Configuration, _ ledger: Ledger, _ verifier: SignedDataVerifier,
    source: AppStoreSource, log: Log, clock: ServerClock = .system,
    pause: ReconciliationPause = .standard
  ) throws(ServiceError) {
    self.clock = clock
    var reconcilers: [Reconciler] = []
    var without: [String] = []
    for app in configuration.apps {
      let places = try Reconciliation.places(app, configuration, ledger, verifier, source)
      if places.isEmpty { without.append(app.bundleId) }
      for (index, place) in places.enumerated() {
        do throws(StoreError) {
          reconcilers.append(
            try Reconciler(
              place.questions, place.answers, importers: index == 0 ? places : [], ledger,
              configuration.reconciliation, clock: clock, log: log, pause: pause,
              holder: "process \(getpid())"))
        } catch {
          throw .store(detail: error.description, advice: error.advice)
        }
      }
    }
    self.reconcilers = reconcilers
    self.ledger = ledger
    appsWithoutKey = without
  }

  /// Who answers for an app; production first, where an imported purchase is looked for first.
  private static func places(
    _ app: Configuration.App, _ configuration: Configuration, _ ledger: Ledger,
    _ verifier: SignedDataVerifier, _ source: AppStoreSource
  ) throws(ServiceError) -> [Reconciler.Importer] {
    var places: [Reconciler.Importer] = []
    for environment in [AppStoreEnvironment.production, .sandbox]
    where configuration.environments.contains(environment) {
      guard let questions = try source.questions(app, environment) else { continue }
      let scope = Scope(
        realm: ledger.realm, bundleId: app.bundleId, environment: environment)
      places.append(
        Reconciler.Importer(
          questions: questions, answers: SignedAnswers(verifier: verifier, scope: scope)))
    }
    return places
  }

  /// Whether anybody can be asked.
  package var isOff: Bool { reconcilers.isEmpty }

  /// Begins to ask, on threads of its own.
  ///
  /// - Parameter endsAfterPass: Whether it stops once a requested pass is over.
  package func start(endsAfterPass: Bool = false) {
    guard !isOff else { return }
    running.withLock { running in
      guard running == nil else { return }
      let executor = WorkerTaskExecutor()
      let tasks = reconcilers.map { reconciler in
        Task(executorPreference: executor) {
          await reconciler.run(endsAfterPass: endsAfterPass)
        }
      }
      running = Running(executor: executor, tasks: tasks)
    }
  }

  /// Returns once every reconciler has ended by itself.
  package func ended() async {
    for task in running.withLock({ $0?.tasks ?? [] }) { await task.value }
  }

  /// Stops asking and returns once nothing is under way; what was learnt is stored.
  package func stop() {
    let running = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let running else { return }
    let ended = Semaphore()
    for task in running.tasks { task.cancel() }
    Task(executorPreference: running.executor) {
      for task in running.tasks { await task.value }
      ended.signal()
    }
    ended.wait()
    running.executor.close()
  }

  /// Asks for everything to be compared once, beside the schedule.
  package func requestPass() {
    let now = clock.now()
    for reconciler in reconcilers { reconciler.board.requestPass(at: now) }
  }

  /// How far it has come, by app and environment.
  package var progress: [ReconciliationProgress] { reconcilers.map(\.board.progress) }

  /// What an import of so many purchases takes at least at the allowed pace.
  package func estimate(rows: Int64, of bundleId: String, percent: Int64) -> TimeSpan {
    let environments = reconcilers.map(\.board.progress.scope)
      .filter { $0.bundleId == bundleId }.map(\.environment)
    let environment = environments.contains(.production) ? AppStoreEnvironment.production : .sandbox
    return QuestionBudget(percent: percent, environment: environment)
      .time(for: rows, on: .transactionHistory)
  }

  /// The products that an app's catalog speaks of.
  ///
  /// Shape: product ids.
  func catalog(of bundleId: String) -> [String] { ledger.rules.catalog(bundleId).productIds }

  package func asks(about bundleId: String) -> Bool {
    reconcilers.contains { $0.board.progress.scope.bundleId == bundleId }
  }
}
