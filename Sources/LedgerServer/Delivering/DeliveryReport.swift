import LedgerStorage

/// Tells counters and log what became of deliveries.
struct DeliveryReport: Sendable {
  let metrics: Metrics
  let log: Log

  /// A line for what changes how a destination stands; counters for everything.
  func write(_ report: DeliveryDesk.Report) {
    metrics.count("deliveries", report.result.rawValue)
    let name = report.destination.name
    let failure = report.answer.failure?.rawValue
    let status = report.answer.status.map { Int64($0) }
    if report.isFirstFailure || report.result == .dead {
      let event = report.result == .dead ? "deliveryDead" : "deliveryFailed"
      log.write(
        LogLine(.warning, event).with("destination", name).with("status", status)
          .with("failure", failure))
    }
    if report.isDisabling { write(report.destination) }
  }

  /// That an endpoint is sent nothing any more, or again.
  func write(_ destination: Destination) {
    guard let reason = destination.disabledBecause else {
      metrics.count("webhook_changes", "woken")
      return log.write(LogLine(.info, "webhookWoken").with("destination", destination.name))
    }
    metrics.count("webhook_changes", "disabled")
    // What an operator did is no fault.
    let level: LogLine.Level = reason == .operator ? .info : .error
    log.write(
      LogLine(level, "webhookDisabled").with("destination", destination.name)
        .with("reason", reason.rawValue))
  }

  func write(_ error: StoreError) {
    metrics.count("deliveries", "unwritten")
    log.write(LogLine(.error, "deliveriesStopped").with("detail", error.description))
  }
}
