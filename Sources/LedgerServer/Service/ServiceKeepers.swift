import LedgerStorage

/// What a running service does without being asked.
struct ServiceKeepers {
  let clusters: ClusterKeeper
  private let deadlines: DeadlineKeeper
  private let cases: CaseKeeper
  private let watch: StoreWatch
  private let degraded: DegradedGate
  private let recorder: DegradedRecorder

  init(_ parts: ServiceParts, sender: (any ConsumptionSender)?) {
    let (ledger, clock, metrics, log) = (parts.ledger, parts.clock, parts.metrics, parts.log)
    deadlines = DeadlineKeeper(ledger, clock: clock) { result in
      switch result {
      case .success(let report): if report.processed > 0 { metrics.count("deadlines", "processed") }
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
      ledger, sender: sender ?? AppStoreSender(parts.clients),
      policies: parts.configuration.consumptionPolicies, clock: clock,
      report: CaseReport(metrics: metrics, log: log).write)
    watch = parts.state.watch
    degraded = parts.degraded
    recorder = DegradedRecorder(parts.degraded, ledger, metrics: metrics, log: log)
  }

  func close() {
    deadlines.close()
    cases.close()
    clusters.close()
    watch.close()
    degraded.close()
    recorder.close()
  }
}
