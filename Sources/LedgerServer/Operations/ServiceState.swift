import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Synchronization

/// What is to be told of the running server.
final class ServiceState: Sendable {
  let watch: StoreWatch
  let ledger: Ledger
  let readers: ReaderPool
  let metrics: Metrics
  let pool: WorkerPool
  let clock: ServerClock
  let log: Log
  let reconciliation: Reconciliation?
  private let seats: StreamSeats?
  let deliveries: DeliveryKeeper?
  private let server = Mutex<HTTPServer?>(nil)

  init(
    watch: StoreWatch, ledger: Ledger, readers: ReaderPool, metrics: Metrics, pool: WorkerPool,
    clock: ServerClock,
    log: Log, reconciliation: Reconciliation? = nil, seats: StreamSeats? = nil,
    deliveries: DeliveryKeeper? = nil
  ) {
    self.watch = watch
    self.ledger = ledger
    self.readers = readers
    self.metrics = metrics
    self.pool = pool
    self.clock = clock
    self.log = log
    self.reconciliation = reconciliation
    self.seats = seats
    self.deliveries = deliveries
  }

  func serving(on server: HTTPServer?) {
    self.server.withLock { $0 = server }
  }

  /// 200 while requests can be answered, with what the operator should look at; else 503.
  func readiness() -> HTTPResponse {
    let now = clock.now()
    let failure = storeFailure()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("ready", failure == nil)
      writer.member("realm", ledger.realm.description)
      writer.name("warnings")
      writer.array { writer in
        if let failure {
          writer.object { writer in
            writer.member("code", failure.code.rawValue)
            writer.member("detail", failure.detail)
          }
        }
        if let rule = metrics.wrongOrigin(at: now) {
          writer.object { writer in
            writer.member("code", "configurationRefuses")
            writer.member("rule", rule)
            writer.member(
              "detail",
              "Signed data of a trusted root was refused by this rule: compare apps and "
                + "environments in the configuration. clawback quarantine list shows it.")
          }
        }
        for progress in reconciliation?.progress ?? [] {
          writer.trouble(of: progress)
        }
        for outlet in deliveries?.outlets ?? [] { writer.trouble(of: outlet) }
      }
      writer.name("notes")
      writer.array { writer in
        for app in reconciliation?.appsWithoutKey ?? [] { writer.missingKey(of: app) }
      }
    }
    return .json(writer.bytes, status: failure == nil ? 200 : 503)
  }

  /// Why nothing can be read or kept at the moment.
  private func storeFailure() -> Problem? {
    if watch.isHanging { return .storeHangs }
    do throws(StoreError) {
      try ledger.store.check()
    } catch {
      return Problem(.storeUnavailable, "\(error). \(error.advice)")
    }
    do throws(Problem) {
      _ = try readers.read { (reader) throws(StoreError) in try reader.counts() }
      return nil
    } catch {
      return error
    }
  }

  func metricsText() -> String {
    let shared = server.withLock { $0?.shared }
    let outlets = deliveries?.outlets ?? []
    let counts = try? readers.read { (reader) throws(StoreError) in try reader.counts() }
    return metrics.text(
      families: [
        ("answers", "Requests answered, by status.", "status"),
        ("notifications", "Notifications by what became of them.", "result"),
        ("problems", "Refused requests by error code.", "code"),
        ("deadlines", "Answers computed anew by time alone.", "result"),
        ("streams_ended", "Streams of events that the server ended, by reason.", "reason"),
        (
          "deliveries", "Attempts to deliver webhooks and forwarded notifications.", "result"
        ),
        ("webhook_changes", "Endpoints that were disabled or woken.", "change"),
        (
          "consumption_answers", "Consumption requests worked on, by what became of them.", "result"
        ),
      ],
      gauges: [
        (
          "connections", "Open connections.",
          Int64(shared?.connections.load(ordering: .relaxed) ?? 0)
        ),
        (
          "body_bytes", "Bytes of request bodies held.",
          Int64(shared?.bodyBytes.load(ordering: .relaxed) ?? 0)
        ),
        ("waiting_checks", "Requests that wait for a signature check.", Int64(pool.waiting)),
        ("waiting_writes", "Writes that wait for the store.", Int64(ledger.store.waitingWrites)),
        (
          "streams", "Open streams of events and requests that wait for one.",
          Int64(seats?.taken ?? 0)
        ),
        ("facts", "Facts kept.", counts?.facts ?? 0),
        ("chains", "Purchases known.", counts?.chains ?? 0),
        ("customers", "Customers known.", counts?.customers ?? 0),
        ("events", "Events told.", counts?.events ?? 0),
        ("quarantined", "Items in quarantine.", counts?.quarantined ?? 0),
        ("alerts", "Values that nobody knows the meaning of.", counts?.alerts ?? 0),
        (
          "configuration_refuses", "1 while signed data of a trusted root is refused.",
          metrics.wrongOrigin(at: clock.now()) == nil ? 0 : 1
        ),
      ]) + OutletStatus.metricsText(outlets, at: clock.now())
  }
}

extension ServiceState: RequestObserver {}

extension ServiceState {
  func answered(
    _ request: HTTPRequest, route: String, status: Int, problem: Problem?, milliseconds: Int64
  ) {
    metrics.count("answers", String(status))
    if let problem { metrics.count("problems", problem.code.rawValue) }
    // Readings that went well are the metrics' business: a line for each would be the log's whole content.
    guard request.method != "GET" || problem != nil else { return }
    log.write(
      LogLine(status >= 500 ? .error : .info, "answered").with("request", request.id)
        .with("method", request.method).with("route", route).with("status", Int64(status))
        .with("code", problem?.code.rawValue).with("rule", problem?.rule)
        .with("cause", problem?.cause).with("milliseconds", milliseconds))
  }

  func refused(id: String, _ problem: Problem) {
    metrics.count("problems", problem.code.rawValue)
    log.write(
      LogLine(.warning, "refused").with("request", id).with("code", problem.code.rawValue))
  }
}

extension JSONWriter {
  /// That Apple cannot be asked at the moment.
  fileprivate mutating func trouble(of progress: ReconciliationProgress) {
    guard let trouble = progress.trouble else { return }
    object { writer in
      writer.member("code", "appleNotAsked")
      writer.member("app", progress.scope.bundleId)
      writer.member("environment", progress.scope.environment.rawValue)
      writer.member("detail", trouble)
    }
  }

  fileprivate mutating func missingKey(of bundleId: String) {
    object { writer in
      writer.member("code", "reconciliationOff")
      writer.member("app", bundleId)
      writer.member(
        "detail",
        "Without appStoreConnect in the configuration Apple is not asked about this app: what "
          + "was missed stays missed.")
    }
  }
}
