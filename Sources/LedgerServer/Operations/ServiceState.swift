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
  let seats: StreamSeats?
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

  /// What the listener counts; `nil` while there is none.
  var served: HTTPServer.Shared? { server.withLock { $0?.shared } }

  func serving(on server: HTTPServer?) {
    self.server.withLock { $0 = server }
  }
}

extension ServiceState: RequestObserver {
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
