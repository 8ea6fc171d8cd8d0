import HTTPListener
import LedgerStorage
import Synchronization

extension ServiceState {
  /// Everything that can be counted, as Prometheus reads it.
  func metricsText() -> String {
    metrics.text(families: Self.families, gauges: serverGauges + ledgerGauges)
      + OutletStatus.metricsText(deliveries?.outlets ?? [], at: clock.now())
  }

  private static let families: [(name: String, help: String, label: String)] = [
    ("answers", "Requests answered, by status.", "status"),
    ("notifications", "Notifications by what became of them.", "result"),
    ("problems", "Refused requests by error code.", "code"),
    ("deadlines", "Answers computed anew by time alone.", "result"),
    ("degraded_spend", "What was allowed without the store, by whether it is recorded.", "result"),
    ("streams_ended", "Streams of events that the server ended, by reason.", "reason"),
    ("deliveries", "Attempts to deliver webhooks and forwarded notifications.", "result"),
    ("webhook_changes", "Endpoints that were disabled or woken.", "change"),
    (
      "consumption_answers", "Consumption requests worked on, by what became of them.", "result"
    ),
  ]

  private typealias Gauge = (name: String, help: String, value: Int64)

  private var serverGauges: [Gauge] {
    let shared = served
    return [
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
    ]
  }

  private var ledgerGauges: [Gauge] {
    let counts = try? readers.read { (reader) throws(StoreError) in try reader.counts() }
    return [
      ("facts", "Facts kept.", counts?.facts ?? 0),
      ("chains", "Purchases known.", counts?.chains ?? 0),
      ("customers", "Customers known.", counts?.customers ?? 0),
      ("events", "Events told.", counts?.events ?? 0),
      ("quarantined", "Items in quarantine.", counts?.quarantined ?? 0),
      ("alerts", "Values that nobody knows the meaning of.", counts?.alerts ?? 0),
      (
        "unmapped_products", "Products that were bought and grant nothing by any catalog.",
        Int64(unmappedProducts.count)
      ),
      (
        "configuration_refuses", "1 while signed data of a trusted root is refused.",
        metrics.wrongOrigin(at: clock.now()) == nil ? 0 : 1
      ),
    ]
  }
}
