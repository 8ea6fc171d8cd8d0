package import AppStoreModel
package import LedgerStorage

/// One thing to ask about.
package enum ReconciliationTask: Hashable, Sendable {
  /// The next page of a walk through notification history.
  case historyPage(Walk.Kind)
  /// A chain that is on the list.
  case question(ChainQuestion)
  /// A purchase whose customer was imported.
  case importRow(WaitingImportRow)
  /// A chain that the general round has come to.
  case round(chainID: Int64)
  /// The refund history of the customer of a chain.
  case refunds(chainID: Int64)
}

/// What is known before the next question: from the store, and from the workers.
package struct ReconciliationState: Hashable, Sendable {
  /// Walks through notification history that are under way and wait for no page.
  package var historyWalks: [Walk.Kind] = []
  /// Until when some of them rest, because they had to begin anew.
  package var resting: [Walk.Kind: Timestamp] = [:]
  /// Due and not under way, the most urgent and longest due first.
  package var questions: [ChainQuestion] = []
  package var importRows: [WaitingImportRow] = []
  /// Where the two rounds go next.
  package var nextInRound: Int64?
  package var nextForRefunds: Int64?
  /// When something falls due that is not due yet.
  package var nextDue: Timestamp?

  package init() {}

  fileprivate func rest(of task: ReconciliationTask) -> Timestamp {
    guard case .historyPage(let kind) = task else { return .distantPast }
    return resting[kind] ?? .distantPast
  }
}

package enum ReconciliationStep: Hashable, Sendable {
  case ask(ReconciliationTask)
  /// Nothing may be asked before that moment.
  case wait(until: Timestamp)
  /// Nothing is left to ask.
  case idle
}

/// Chooses what is asked next: a pure rule.
package enum ReconciliationPlan {
  /// The next question.
  ///
  /// What an answer or money hangs on comes first; then what Apple says it sent; then customers that
  /// are unknown until they are imported; then what can be refunded; then the rounds. What its own
  /// rate limit holds back lets others pass.
  ///
  /// - Parameters:
  ///   - state: What is known.
  ///   - budget: What may be asked.
  ///   - now: The moment of the question.
  /// - Returns: What to do.
  package static func next(
    _ state: ReconciliationState, _ budget: QuestionBudget, at now: Timestamp
  ) -> ReconciliationStep {
    let tasks = order(state)
    var earliest = state.nextDue
    for task in tasks {
      let ready = max(task.endpoints.map(budget.ready).max() ?? now, state.rest(of: task))
      if ready <= now { return .ask(task) }
      earliest = min(earliest ?? ready, ready)
    }
    return earliest.map { .wait(until: $0) } ?? .idle
  }

  private static func order(_ state: ReconciliationState) -> [ReconciliationTask] {
    let pressing = state.questions.filter { $0.rank <= .revocation }
    let patient = state.questions.filter { $0.rank > .revocation }
    var tasks = pressing.prefix(1).map { ReconciliationTask.question($0) }
    tasks += state.historyWalks.map { .historyPage($0) }
    tasks += state.importRows.prefix(1).map { .importRow($0) }
    tasks += patient.prefix(1).map { .question($0) }
    tasks += [
      state.nextForRefunds.map { .refunds(chainID: $0) },
      state.nextInRound.map { .round(chainID: $0) },
    ].compactMap { $0 }
    return tasks
  }
}

extension ReconciliationTask {
  /// The limits that it counts against.
  var endpoints: [QuestionEndpoint] {
    switch self {
    case .historyPage: [.notificationHistory]
    case .question, .round: [.transactionInfo, .statuses]
    case .importRow: [.transactionHistory, .transactionInfo, .statuses]
    case .refunds: [.refundHistory]
    }
  }

  var urgency: QuestionUrgency {
    switch self {
    case .question(let question): question.rank <= .revocation ? .urgent : .normal
    case .historyPage, .importRow: .normal
    case .round, .refunds: .background
    }
  }
}
