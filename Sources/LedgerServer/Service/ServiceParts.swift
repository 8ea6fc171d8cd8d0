import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What a service consists of before it listens: the ledger, and what reads, checks, sends and decides.
struct ServiceParts {
  let configuration: Configuration
  let clock: ServerClock
  let log: Log
  let verifier: SignedDataVerifier
  let clients: [AppStoreServerClient]
  let ledger: Ledger
  let keys: KeyRing
  let reconciliation: Reconciliation
  let metrics = Metrics()
  let pool: WorkerPool
  let deliveries: DeliveryKeeper
  let webhooks: WebhookAdministration
  let state: ServiceState
  let events: EventService
  let intake: Intake
  let degraded: DegradedGate

  /// Reads what the configuration names before anything of the ledger is touched.
  ///
  /// Errors: ``ServiceError``; no thread is running then.
  init(
    _ configuration: Configuration, store: any LedgerStore, log: Log, clock: ServerClock,
    appStore: AppStoreSource?
  ) throws(ServiceError) {
    let limits = configuration.limits
    self.configuration = configuration
    self.clock = clock
    self.log = log
    verifier = try configuration.verifier()
    clients = try configuration.appStoreClients(observe: log.note)
    ledger = Ledger(store: store, rules: configuration.ledgerRules)
    keys = try ledger.prepareForService(configuration, clock)
    ledger.noteUnwritable(log)
    reconciliation = try Reconciliation(
      configuration, ledger, verifier, source: appStore ?? AppStoreSource(clients, clock: clock),
      log: log, clock: clock)
    deliveries = try ServiceParts.deliveries(configuration, ledger, clock, metrics, log)
    pool = WorkerPool(threads: LedgerService.processors, capacity: limits.requestsWaiting)
    webhooks = WebhookAdministration(
      ledger: ledger, keeper: deliveries, rules: configuration.deliveryRules, clock: clock)
    let seats = StreamSeats(limits)
    state = ServiceState(
      watch: StoreWatch(timeout: configuration.spending.storeTimeout), ledger: ledger,
      readers: ReaderPool(ledger), metrics: metrics, pool: pool, clock: clock, log: log,
      reconciliation: reconciliation, seats: seats, deliveries: deliveries)
    events = EventService(
      configuration.events, ledger, readers: state.readers, keys: keys, seats: seats,
      clock: clock, metrics: metrics, log: log)
    let isLive = store.realm == .apple && !configuration.acceptArchives
    intake = Intake(
      verifier: verifier, ledger: ledger, window: isLive ? .standard : nil, clock: clock,
      metrics: metrics, log: log, limits: limits,
      forwarder: configuration.forwarding.isEmpty ? nil : deliveries)
    degraded = DegradedGate(configuration.spending, ledger)
  }

  /// Ends the threads of a service that cannot listen.
  func abandon() {
    pool.close()
    state.watch.close()
    degraded.close()
    deliveries.close()
  }

  private static func deliveries(
    _ configuration: Configuration, _ ledger: Ledger, _ clock: ServerClock, _ metrics: Metrics,
    _ log: Log
  ) throws(ServiceError) -> DeliveryKeeper {
    guard let wires = DeliveryWires(configuration.wireSettings) else { throw .sendingUnavailable }
    let report = DeliveryReport(metrics: metrics, log: log)
    return DeliveryKeeper(
      ledger, clock: clock, rules: configuration.deliveryRules, wires: wires,
      report: report.write, changed: report.write, fail: report.write)
  }

  /// What commands of the same user may ask of the running service.
  var operations: Operations {
    Operations(
      ledger: ledger, keys: keys, verifier: verifier, clock: clock,
      reconciliation: ReconciliationOperations(
        ledger: ledger, reconciliation: reconciliation, configuration: configuration,
        clock: clock),
      webhooks: WebhookOperations(administration: webhooks, configuration: configuration))
  }
}
