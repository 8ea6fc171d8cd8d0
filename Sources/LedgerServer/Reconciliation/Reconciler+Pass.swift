import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension Reconciler {
  /// Whether a pass that was asked for is over; tells it.
  func endPass(_ state: ReconciliationState?) async -> Bool {
    guard let requested = board.passRequestedAt else { return false }
    if board.progress.isFinished { return true }
    let isDone =
      state?.isEmpty == true
      && [.notifications, .refunds, .rest].allSatisfy { isSatisfied($0, since: requested) }
    let isHopeless = failures >= Self.hopeless
    let isStuck = state.map(isHistoryStuck) ?? false
    guard isDone || isHopeless || isStuck else { return false }
    if isStuck, isHistoryRefused {
      trouble = .clocksDiffer
      showTrouble()
    }
    if isDone { await forgetPass() }
    finish(isDone: isDone)
    return true
  }

  private func forgetPass() async {
    let scope = scope
    // Kept by mistake it would be found done at once the next time.
    try? await ledger.committed { (recorder) throws(StoreError) in
      try recorder.endPass(in: scope)
    }
  }

  private func finish(isDone: Bool) {
    board.update { progress in
      progress.isFinished = true
      progress.remaining = .zero
      // What Apple was not asked about any more, such as with a key that it refuses.
      if !isDone { progress.failed += progress.left.steps }
      progress.left = PassWork()
      if isDone { progress.total = progress.done }
    }
    let progress = board.progress
    log.write(
      LogLine(.info, "reconciled").with("app", scope.bundleId)
        .with("environment", scope.environment.rawValue).with("asked", progress.asked)
        .with("pages", progress.pages).with("refundHistories", progress.refundHistories)
        .with("gaps", progress.gaps).with("notFound", progress.notFound)
        .with("failed", progress.failed))
  }

  /// Goes on with what a process before was asked for and did not end.
  func takeUpPass(at now: Timestamp) {
    guard board.passRequestedAt == nil else { return }
    let left = try? store { (recorder) throws(StoreError) in try recorder.pass(in: scope) }
    if let left, left > now.subtracting(Self.longestPass) { board.requestPass(at: left) }
  }

  /// What was compared longer ago says too little of now: such a pass begins anew.
  private static let longestPass = TimeSpan.days(1)

  /// Makes a pass durable when it begins.
  func beginPass(at now: Timestamp) async throws(StoreError) {
    guard let requested = board.passRequestedAt, countedPass != requested else { return }
    let scope = scope
    let begun = try await ledger.committed { (recorder) throws(StoreError) in
      try recorder.beginPass(
        in: scope, at: requested, unlessSince: requested.subtracting(Self.longestPass))
    }
    board.continuePass(askedForAt: begun)
    countedPass = begun
    // Who asks by hand may have mended something.
    restarts = [:]
    isCounting = true
    isHistoryRefused = false
  }

  /// Lets what is to do be counted again, since more purchases may be known: now and then, as it reads
  /// them all.
  func expectGrowth(isOver: Bool, at now: Timestamp) {
    if isOver || countedAt.adding(.seconds(10)) <= now { isCounting = true }
  }

  /// Counts what a pass has to do: what rounds have passed is done.
  func countPass(at now: Timestamp) throws(StoreError) {
    guard isCounting, let requested = board.passRequestedAt, !board.progress.isFinished else {
      return
    }
    let scope = scope
    func place(_ kind: Walk.Kind) -> Int64? {
      isSatisfied(kind, since: requested) ? nil : walks[kind]?.underway?.place ?? 0
    }
    let places = (refunds: place(.refunds), rest: place(.rest))
    let work = try store { (recorder) throws(StoreError) in
      (
        questions: try recorder.dueQuestionCount(in: scope, by: now),
        rest: try places.rest.map { (place) throws(StoreError) in
          try recorder.chainCount(in: scope, after: place)
        } ?? 0,
        refunds: try places.refunds.map { (place) throws(StoreError) in
          try recorder.chainCount(in: scope, after: place)
        } ?? 0
      )
    }
    isCounting = false
    countedAt = now
    count {
      $0.left.recount(questions: work.questions, rest: work.rest, refunds: work.refunds)
    }
  }

  /// Changes the counts, and what follows from them.
  func count(_ change: (inout ReconciliationProgress) -> Void) {
    board.update { progress in
      change(&progress)
      progress.total = progress.done + progress.left.steps
      progress.remaining = progress.left.time(in: budget)
    }
  }
}
