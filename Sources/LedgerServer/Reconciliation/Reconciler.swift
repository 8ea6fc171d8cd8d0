import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// Asks Apple about one app in one environment: the shell around the plan.
///
/// Everything that it has learnt is written in one transaction with how far it has come, so that a
/// killed process is followed by one that goes on there.
actor Reconciler {
  let scope: Scope
  let questions: any AppStoreQuestions
  let answers: SignedAnswers
  let ledger: Ledger
  let clock: ServerClock
  let log: Log
  let settings: Configuration.Reconciliation
  nonisolated let board: ReconciliationBoard
  /// Where imported purchases are looked for, in order; empty where another reconciler does it.
  let importers: [Importer]

  var budget: QuestionBudget
  var walks: [Walk.Kind: Walk] = [:]
  var cursors: [Walk.Kind: RoundCursor] = [:]
  private var pagesUnderway: Set<Walk.Kind> = []
  private var chainsUnderway: Set<Int64> = []
  private var rowsUnderway: Set<Int64> = []
  /// Failures without an answer between them.
  var failures: Int64 = 0
  /// So many end a pass that was asked for.
  static let hopeless: Int64 = 8
  /// What keeps Apple from answering at the moment.
  var trouble: QuestionFailure?
  var faults = AnswerFaults()
  var trails: [Walk.Kind: PageTrail] = [:]
  var restarts: [Walk.Kind: WalkRestarts] = [:]
  /// By imported line.
  var importRestarts: [Int64: WalkRestarts] = [:]
  /// Whether notification history cannot be read before somebody sets a clock.
  var isHistoryRefused = false
  /// Chains that wait for somebody else's reading of their customer's refund history, by what is asked.
  var refundReaders: [String: [Int64]] = [:]
  var countedPass: Timestamp?
  /// Whether what the pass has to do is to be counted, and when it was.
  var isCounting = false
  var countedAt = Timestamp.distantPast
  var leasedUntil = Timestamp.distantPast
  let pause: ReconciliationPause
  private let reader: LedgerReader
  let holder: String

  /// One environment in which an imported purchase may be found.
  struct Importer: Sendable {
    let questions: any AppStoreQuestions
    let answers: SignedAnswers
  }

  init(
    _ questions: any AppStoreQuestions, _ answers: SignedAnswers, importers: [Importer],
    _ ledger: Ledger, _ settings: Configuration.Reconciliation, clock: ServerClock, log: Log,
    pause: ReconciliationPause, holder: String
  ) throws(StoreError) {
    scope = answers.scope
    self.questions = questions
    self.answers = answers
    self.importers = importers
    self.ledger = ledger
    self.settings = settings
    self.clock = clock
    self.log = log
    self.pause = pause
    self.holder = holder
    board = ReconciliationBoard(ReconciliationProgress(scope: scope))
    budget = QuestionBudget(percent: settings.budgetPercent, environment: scope.environment)
    reader = try ledger.makeReader()
  }

  /// Asks until it is cancelled, or until a requested pass is over.
  ///
  /// - Parameter endsAfterPass: Whether it returns then; else it goes on by its schedule.
  func run(endsAfterPass: Bool) async {
    guard await waitForLease() else { return }
    takeUpPass(at: clock.now())
    await withTaskGroup(of: Void.self) { group in
      var active = 0
      while !Task.isCancelled {
        let now = clock.now()
        guard await prepare(at: now) else {
          await pause.rest(now.adding(.seconds(5)), now)
          continue
        }
        let state = read(at: now)
        let step = state.map { ReconciliationPlan.next($0, budget, at: now) } ?? .idle
        if case .ask(let task) = step, active < settings.workers {
          begin(task, at: now)
          active += 1
          group.addTask { await self.perform(task) }
        } else if active > 0 {
          await group.next()
          active -= 1
        } else if await endPass(state), endsAfterPass {
          return
        } else {
          await rest(step, at: now)
        }
      }
      group.cancelAll()
    }
    await dropLease()
  }

  private func rest(_ step: ReconciliationStep, at now: Timestamp) async {
    let longest = now.adding(.minutes(1))
    guard case .wait(let until) = step else { return await pause.rest(longest, now) }
    await pause.rest(max(until, now.adding(TimeSpan(milliseconds: 1))), now)
  }

  private func begin(_ task: ReconciliationTask, at now: Timestamp) {
    switch task {
    case .historyPage(let kind):
      pagesUnderway.insert(kind)
      budget.spend(1, on: .notificationHistory, at: now)
    case .question(let question): chainsUnderway.insert(question.chainID)
    case .importRow(let row): rowsUnderway.insert(row.id)
    case .round(let chainID): cursors[.rest]?.begin(chainID)
    case .refunds(let chainID): cursors[.refunds]?.begin(chainID)
    }
  }

  private func perform(_ task: ReconciliationTask) async {
    switch task {
    case .historyPage(let kind):
      await readPage(kind)
      pagesUnderway.remove(kind)
    case .question(let question):
      await askAbout(question)
      chainsUnderway.remove(question.chainID)
    case .importRow(let row):
      await walkHistory(of: row)
      rowsUnderway.remove(row.id)
    case .round(let chainID): await askInRound(chainID)
    case .refunds(let chainID): await readRefunds(of: chainID)
    }
  }

  /// What the plan is to know; `nil` while the store cannot be read.
  private func read(at now: Timestamp) -> ReconciliationState? {
    guard var state = try? store({ (recorder) throws(StoreError) in try due(recorder, at: now) })
    else { return nil }
    let isAsking =
      settings.isScheduled
      || (board.passRequestedAt != nil && !board.progress.isFinished)
    if !isAsking {
      state.questions = []
      state.nextDue = nil
    }
    state.questions.removeAll { chainsUnderway.contains($0.chainID) }
    state.importRows.removeAll { rowsUnderway.contains($0.id) }
    state.historyWalks = [.notifications, .failures].filter { kind in
      walks[kind]?.underway != nil && !pagesUnderway.contains(kind)
    }
    state.resting = restarts.mapValues(\.restsUntil)
    if isHistoryRefused, board.passRequestedAt != nil, !board.progress.isFinished {
      // The pass is over, and kept: what else there is may be compared once the clocks agree.
      state.questions = []
    } else {
      state.nextInRound = cursors[.rest]?.next
      state.nextForRefunds = cursors[.refunds]?.next
    }
    let next = state.nextDue.map { max($0, now.adding(.seconds(1))) }
    state.nextDue = [next, nextWalk(after: now)].compactMap { $0 }.min()
    return state
  }

  private func due(
    _ recorder: Recorder, at now: Timestamp
  ) throws(StoreError) -> ReconciliationState {
    var state = ReconciliationState()
    let limit = settings.workers + 1
    state.questions = try recorder.dueQuestions(
      in: scope, by: now, limit: limit + chainsUnderway.count)
    state.nextDue = try recorder.nextQuestionDue(in: scope)
    guard !importers.isEmpty else { return state }
    state.importRows = try recorder.dueImportRows(
      of: scope.bundleId, by: now, limit: limit + rowsUnderway.count)
    let next = try recorder.nextImportDue(of: scope.bundleId)
    state.nextDue = [state.nextDue, next].compactMap { $0 }.min()
    return state
  }

  func store<Value>(
    _ body: (Recorder) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try reader.read(body)
  }
}

extension Reconciler {
  /// Keeps the lease, begins what is due, and reads ahead in the rounds.
  ///
  /// - Returns: Whether there is a lease and a store to work with.
  private func prepare(at now: Timestamp) async -> Bool {
    guard await keepLease(at: now) else { return false }
    do throws(StoreError) {
      try await beginPass(at: now)
      try await beginWalks(at: now)
      try countPass(at: now)
      try await readAhead(at: now)
      return true
    } catch {
      note(error, at: now)
      return false
    }
  }
}

extension ReconciliationState {
  /// Whether there is nothing to ask now.
  var isEmpty: Bool {
    historyWalks.isEmpty && isEmptyButForHistory
  }

  var isEmptyButForHistory: Bool {
    questions.isEmpty && importRows.isEmpty && nextInRound == nil && nextForRefunds == nil
  }
}
