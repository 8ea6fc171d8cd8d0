import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension Reconciler {
  /// Notes that Apple answered.
  func noteAnswer() {
    failures = 0
    trouble = isHistoryRefused ? .clocksDiffer : nil
    showTrouble()
  }

  /// Notes that Apple gave no answer, and how long to leave it alone.
  ///
  /// - Parameters:
  ///   - failure: Why.
  ///   - endpoint: What was asked.
  ///   - subject: Whose trouble it is until it is asked with success.
  ///   - now: When.
  func note(
    _ failure: QuestionFailure, on endpoint: QuestionEndpoint,
    of subject: AnswerFaults.Subject? = nil, at now: Timestamp
  ) {
    if case .cancelled = failure { return }
    if case .notFound = failure { return noteAnswer() }
    switch failure {
    case .limited(let until): budget.pause(endpoint, until: min(until, now.adding(.hours(1))))
    case .clocksDiffer: budget.pause(endpoint, until: now.adding(.minutes(1)))
    case .unauthorized:
      // The client has tried a fresh token and the other environment: asking again is of no use soon.
      failures += Self.hopeless
      budget.pause(until: now.adding(.minutes(1)))
    default: failures += 1
    }
    if failures >= 3 {
      let doublings = min(failures - 3, 6)
      budget.pause(until: now.adding(TimeSpan(milliseconds: 5_000 << doublings)))
    }
    let isNews =
      subject.map { faults.note(failure, of: $0) }
      ?? (board.progress.trouble != failure.description)
    if isNews { write(failure, subject) }
    trouble = failure
    showTrouble()
  }

  private func write(_ failure: QuestionFailure, _ subject: AnswerFaults.Subject?) {
    log.write(
      LogLine(.warning, failure.isFault ? "answerUnusable" : "appleNotAsked")
        .with("app", scope.bundleId).with("environment", scope.environment.rawValue)
        .with("about", subject?.description).with("detail", failure.description)
        .with("advice", failure.advice))
  }

  /// Shows what keeps Apple from answering now, or else what it answered badly before.
  func showTrouble() {
    let shown = trouble ?? faults.first
    board.update { progress in
      progress.trouble = shown?.description
      progress.isAnswerUnusable = shown?.isFault ?? false
      progress.advice = shown?.advice
    }
  }

  /// Keeps what is not to be believed for the operator.
  func setAside(_ items: [QuarantinedItem]) async {
    guard !items.isEmpty else { return }
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for item in items { _ = try recorder.quarantine(item) }
      }
    } catch {
      note(error, at: clock.now())
    }
  }

  func note(_ error: StoreError, at now: Timestamp) {
    budget.pause(until: now.adding(.seconds(5)))
    board.update { progress in
      progress.trouble = error.description
      progress.isAnswerUnusable = false
      progress.advice = error.advice
    }
    log.write(LogLine(.error, "reconciliationFailed").with("detail", error.description))
  }
}
