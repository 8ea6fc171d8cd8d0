import EntitlementLedger
import LedgerStorage

/// Counts and logs what became of consumption requests; never what was answered.
struct CaseReport {
  let metrics: Metrics
  let log: Log

  func write(_ work: CaseWork, _ result: Result<RequestUpdate, StoreError>) {
    let about = LogLine(level(result), "consumptionRequest")
      .with("transactionId", work.due.stored.refundCase.transactionId)
      .with("notificationUUID", work.due.request.notificationUUID)
    switch result {
    case .failure(let error):
      metrics.count("consumption_answers", "failed")
      log.write(about.with("detail", error.description))
    case .success(let update):
      metrics.count("consumption_answers", update.progress.word)
      // What is withheld is looked at again and again: only a change is worth a line.
      guard update.progress != work.due.request.progress || update.attempt != nil else { return }
      var because: String?
      if case .withheld(let reason) = update.progress { because = reason.rawValue }
      log.write(
        about.with("result", update.progress.word).with("because", because)
          .with("status", update.attempt?.status.map { Int64($0) })
          .with("errorCode", update.attempt?.errorCode))
    }
  }

  private func level(_ result: Result<RequestUpdate, StoreError>) -> LogLine.Level {
    switch result {
    case .failure: .error
    case .success(let update):
      switch update.progress {
      case .answered, .withheld, .moot: .info
      case .waiting, .refused, .missed: .warning
      }
    }
  }
}
