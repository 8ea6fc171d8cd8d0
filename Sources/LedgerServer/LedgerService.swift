import HTTPListener
import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import EntitlementLedger
import Glibc
package import LedgerStorage

/// The server: one ledger, served over HTTP.
package final class LedgerService: Sendable {
  package let ledger: Ledger
  /// The bound port; of interest where the configuration lets the system choose.
  package let port: UInt16
  package let operations: Operations
  private let state: ServiceState
  /// The bound local port, where there is one.
  package var localPort: UInt16? { localServer?.port }
  private let server: HTTPServer
  private let localServer: HTTPServer?
  private let deadlines: DeadlineKeeper
  private let cases: CaseKeeper
  private let events: EventService
  let clusters: ClusterKeeper
  private let degraded: DegradedGate
  private let degradedRecorder: DegradedRecorder
  private let deliveries: DeliveryKeeper
  private let socket: OperationsSocket?
  package let reconciliation: Reconciliation
  private let log: Log

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - configuration: What the operator states.
  ///   - store: Opened for the configuration's realm; closed by ``stop()``.
  ///   - log: Where to write lines; stays open.
  ///   - clock: Tells the time.
  ///   - sender: Sends answers to consumption requests; by the configured keys unless given.
  ///   - appStore: Who answers questions to Apple; `nil` asks as the configuration says.
  /// - Throws: ``ServiceError``; nothing is running then, and the store is still open.
  package init(
    _ configuration: Configuration, store: any LedgerStore, log: Log,
    clock: ServerClock = .system, sender: (any ConsumptionSender)? = nil,
    appStore: AppStoreSource? = nil
  ) throws(ServiceError) {
    signal(SIGPIPE, SIG_IGN)
    let limits = configuration.limits
    let verifier = try configuration.verifier()
    let address = try LedgerService.address(configuration.listener)
    let tls = try TLSFiles(configuration.listener)?.identity()
    let clients = try configuration.appStoreClients(observe: log.note)
    let ledger = Ledger(store: store, rules: configuration.ledgerRules)
    let keys = try LedgerService.prepare(ledger, clock)
    let reconciliation = try Reconciliation(
      configuration, ledger, verifier, source: appStore ?? AppStoreSource(clients, clock: clock),
      log: log,
      clock: clock)
    self.reconciliation = reconciliation
    let pool = WorkerPool(threads: LedgerService.processors, capacity: limits.requestsWaiting)
    let metrics = Metrics()
    guard let wires = DeliveryWires(configuration.wireSettings) else {
      throw .sendingUnavailable
    }
    try LedgerService.prepareForwarding(configuration, ledger, clock)
    let deliveryReport = DeliveryReport(metrics: metrics, log: log)
    let deliveries = DeliveryKeeper(
      ledger, clock: clock, rules: configuration.deliveryRules, wires: wires,
      report: deliveryReport.write, changed: deliveryReport.write, fail: deliveryReport.write)
    self.deliveries = deliveries
    let webhooks = WebhookAdministration(
      ledger: ledger, keeper: deliveries, rules: configuration.deliveryRules, clock: clock)
    let seats = StreamSeats(limits)
    let watch = StoreWatch(timeout: configuration.spending.storeTimeout)
    let state = ServiceState(
      watch: watch, ledger: ledger, readers: ReaderPool(ledger), metrics: metrics, pool: pool,
      clock: clock,
      log: log, reconciliation: reconciliation, seats: seats, deliveries: deliveries)
    events = EventService(
      configuration.events, ledger, readers: state.readers, keys: keys, seats: seats,
      clock: clock, metrics: metrics, log: log)
    let isLive = store.realm == .apple && !configuration.acceptArchives
    let intake = Intake(
      verifier: verifier, ledger: ledger, window: isLive ? .standard : nil, clock: clock,
      metrics: metrics, log: log, limits: limits,
      forwarder: configuration.forwarding.isEmpty ? nil : deliveries)
    let degraded = DegradedGate(configuration.spending, ledger)
    self.degraded = degraded
    let routes =
      LedgerService.routes(configuration, state, intake, reconciliation, degraded, webhooks)
      + events.routes
    let openAPI = OpenAPI(routes)
    let router = Router(
      routes: routes + [openAPI.route()], keys: keys, realm: store.realm, observer: state)
    let server = HTTPServer(
      address, tls: tls, loops: configuration.listener.threads ?? LedgerService.processors,
      limits: limits.http, handler: router)
    guard let server else {
      let failure = ServiceError.unavailable(address)
      pool.close()
      deliveries.close()
      watch.close()
      degraded.close()
      throw failure
    }
    var local: HTTPServer?
    operations = Operations(
      ledger: ledger, keys: keys, verifier: verifier, clock: clock,
      reconciliation: ReconciliationOperations(
        ledger: ledger, reconciliation: reconciliation, configuration: configuration,
        clock: clock),
      webhooks: WebhookOperations(administration: webhooks, configuration: configuration))
    do throws(ServiceError) {
      local = try LedgerService.local(configuration, state, openAPI, keys)
      socket = try configuration.socketPath.map { [operations] (path) throws(ServiceError) in
        try OperationsSocket(path: path, operations: operations)
      }
    } catch {
      local?.stop()
      server.stop()
      pool.close()
      deliveries.close()
      watch.close()
      degraded.close()
      throw error
    }
    localServer = local
    deadlines = DeadlineKeeper(ledger, clock: clock) { result in
      switch result {
      case .success(let report) where report.processed > 0:
        metrics.count("deadlines", "processed")
      case .success: break
      case .failure(let error):
        metrics.count("deadlines", "failed")
        log.write(LogLine(.error, "deadlinesFailed").with("detail", error.description))
      }
    }
    clusters = ClusterKeeper(ledger, clock: clock) { result in
      switch result {
      case .success(let told): if told > 0 { metrics.count("clusters", "told") }
      case .failure(let error):
        metrics.count("clusters", "failed")
        log.write(LogLine(.error, "clustersFailed").with("detail", error.description))
      }
    }
    cases = CaseKeeper(
      ledger, sender: sender ?? AppStoreSender(clients),
      policies: configuration.consumptionPolicies, clock: clock,
      report: CaseReport(metrics: metrics, log: log).write)
    degradedRecorder = DegradedRecorder(degraded, ledger, log: log)
    reconciliation.start()
    events.start()
    state.serving(on: server)
    self.ledger = ledger
    self.state = state
    self.server = server
    self.log = log
    port = server.port
    log.write(
      LogLine(.info, "started").with("host", address.host).with("port", Int64(server.port))
        .with("localPort", (local?.port).map { Int64($0) })
        .with("realm", store.realm.description))
  }

  /// Reads every file that a configuration names, and checks what can be checked without a ledger.
  ///
  /// - Throws: ``ServiceError``, of the first thing that would keep a server from starting.
  package static func check(_ configuration: Configuration) throws(ServiceError) {
    _ = try configuration.verifier()
    _ = try address(configuration.listener)
    _ = try TLSFiles(configuration.listener)?.identity()
    _ = try configuration.appStoreClients { _ in }
  }

  /// Stops accepting, answers what is in flight, waits for the writer, and closes the store.
  package func stop() {
    events.stopServing()
    server.stop()
    localServer?.stop()
    state.serving(on: nil)
    socket?.close()
    reconciliation.stop()
    state.pool.close()
    deadlines.close()
    cases.close()
    events.close()
    clusters.close()
    state.watch.close()
    degraded.close()
    degradedRecorder.close()
    deliveries.close()
    state.readers.close()
    ledger.store.close()
    log.write(LogLine(.info, "stopped"))
  }

  /// Whether other machines can reach an address without TLS although nobody said that they may.
  private static func address(
    _ listener: Configuration.Listener
  ) throws(ServiceError) -> BindAddress {
    guard let address = BindAddress(host: listener.host, port: listener.port) else {
      throw .badAddress(host: listener.host)
    }
    let isProtected = listener.certificatePath != nil || listener.allowsPlainPublic
    guard address.isLoopback || isProtected else {
      throw .plainPublicAddress(host: listener.host)
    }
    return address
  }

  private static func prepare(
    _ ledger: Ledger, _ clock: ServerClock
  ) throws(ServiceError) -> KeyRing {
    do throws(StoreError) {
      let isChanged = try ledger.wait { ledger.adoptRules(now: clock.now(), completion: $0) }
      if isChanged {
        // Consumables that were bought before the catalog gave them an amount fill their lots now.
        try ledger.wait { ledger.fillLots(now: clock.now(), completion: $0) }
      }
      // Only one process writes to a store: whoever held a lease of it has ended.
      try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in try recorder.dropLeases() }
      }
      return KeyRing(try ledger.makeReader().keys().compactMap { APIKey($0) })
    } catch {
      throw .store(detail: error.description, advice: error.advice)
    }
  }

  /// Makes the destinations that the configuration names for forwarding, and lets others go.
  private static func prepareForwarding(
    _ configuration: Configuration, _ ledger: Ledger, _ clock: ServerClock
  ) throws(ServiceError) {
    let (targets, now) = (configuration.forwarding.map(\.url), clock.now())
    do throws(StoreError) {
      try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.forward(to: targets, now: now)
        }
      }
    } catch {
      throw .store(detail: error.description, advice: error.advice)
    }
  }

  private static func routes(
    _ configuration: Configuration, _ state: ServiceState, _ intake: Intake,
    _ reconciliation: Reconciliation, _ degraded: DegradedGate,
    _ webhooks: WebhookAdministration
  ) -> [Route] {
    let clock = state.clock
    let routes =
      CustomerRoutes(readers: state.readers, clock: clock).routes
      + NotificationRoutes(intake: intake, pool: state.pool).routes
      + ReportRoutes(
        intake: intake, pool: state.pool, clock: clock, limits: configuration.limits
      ).routes
      + PurchaseRoutes(ledger: state.ledger, clock: clock).routes
      + ConsentRoutes(ledger: state.ledger, readers: state.readers, clock: clock).routes
      + ErasureRoutes(ledger: state.ledger, clock: clock).routes
      + GrantRoutes(ledger: state.ledger, readers: state.readers, clock: clock).routes
      + CaseRoutes(readers: state.readers, clock: clock).routes
      + spendRoutes(configuration, state, degraded)
      + QuarantineRoutes(readers: state.readers).routes
      + RefundRoutes(readers: state.readers).routes
      + ClusterRoutes(readers: state.readers).routes
      + MoneyRoutes(readers: state.readers, pool: state.pool).routes
      + AlertRoutes(readers: state.readers).routes
      + ReconciliationRoutes(
        readers: state.readers, reconciliation: reconciliation, clock: clock
      ).routes
      + WebhookRoutes(administration: webhooks, readers: state.readers).routes
      + AppRoutes(configuration: configuration, readers: state.readers).routes
      + CatalogRoutes(
        configuration: configuration, ledger: state.ledger, readers: state.readers, clock: clock,
        log: state.log
      ).routes
      + HealthRoutes(service: state).routes
    return routes
  }

  private static func spendRoutes(
    _ configuration: Configuration, _ state: ServiceState, _ degraded: DegradedGate
  ) -> [Route] {
    let (ledger, readers, clock) = (state.ledger, state.readers, state.clock)
    let spending = configuration.spending
    return SpendRoutes(
      ledger: ledger, readers: readers, clock: clock, spending: spending, degraded: degraded,
      watch: state.watch
    ).routes
      + SpendReportRoutes(
        ledger: ledger, readers: readers, clock: clock, watch: state.watch
      ).routes
      + BalanceRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + RunningCostRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + PayoutRoutes(ledger: ledger, readers: readers, clock: clock, spending: spending).routes
  }

  /// Serves what watches the server, to this machine alone and without keys.
  private static func local(
    _ configuration: Configuration, _ state: ServiceState, _ openAPI: OpenAPI, _ keys: KeyRing
  ) throws(ServiceError) -> HTTPServer? {
    guard let port = configuration.listener.localPort else { return nil }
    guard let address = BindAddress(host: "127.0.0.1", port: port) else { return nil }
    let routes =
      HealthRoutes(service: state, access: .open).routes + [openAPI.route(.open)]
    let router = Router(routes: routes, keys: keys, realm: state.ledger.realm, observer: state)
    guard
      let server = HTTPServer(
        address, loops: 1, limits: configuration.limits.http, handler: router)
    else { throw .unavailable(address) }
    return server
  }

  private static var processors: Int { max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
