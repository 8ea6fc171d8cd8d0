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
  private var countedPass: Timestamp?
  /// Whether what the pass has to do is to be counted, and when it was.
  private var isCounting = false
  private var countedAt = Timestamp.distantPast
  private var leasedUntil = Timestamp.distantPast
  private let pause: ReconciliationPause
  private let reader: LedgerReader
  private let holder: String

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
    guard await takeLease() else { return }
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
        } else if await endPass(state, at: now), endsAfterPass {
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
  /// Whether a pass that was asked for is over; tells it.
  private func endPass(_ state: ReconciliationState?, at now: Timestamp) async -> Bool {
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
    if isDone {
      let scope = scope
      // Kept by mistake it would be found done at once the next time.
      try? await ledger.committed { (recorder) throws(StoreError) in
        try recorder.endPass(in: scope)
      }
    }
    board.update { progress in
      progress.isFinished = true
      progress.remaining = .zero
      progress.left = PassWork()
      if isDone { progress.total = progress.done }
    }
    let progress = board.progress
    log.write(
      LogLine(.info, "reconciled").with("app", scope.bundleId)
        .with("environment", scope.environment.rawValue).with("asked", progress.asked)
        .with("pages", progress.pages).with("refundHistories", progress.refundHistories)
        .with("gaps", progress.gaps)
        .with("notFound", progress.notFound).with("failed", progress.failed))
    return true
  }

  /// Goes on with what a process before was asked for and did not end.
  private func takeUpPass(at now: Timestamp) {
    guard board.passRequestedAt == nil else { return }
    let left = try? store { (recorder) throws(StoreError) in try recorder.pass(in: scope) }
    if let left, left > now.subtracting(Self.longestPass) { board.requestPass(at: left) }
  }

  /// What was compared longer ago says too little of now: such a pass begins anew.
  private static let longestPass = TimeSpan.days(1)

  /// Makes a pass durable when it begins.
  private func beginPass(at now: Timestamp) async throws(StoreError) {
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
  private func countPass(at now: Timestamp) throws(StoreError) {
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

  private func takeLease() async -> Bool {
    while !Task.isCancelled {
      let now = clock.now()
      let (name, holder) = (leaseName, holder)
      let isOurs = try? await ledger.committed { (recorder) throws(StoreError) in
        try recorder.takeLease(
          name, holder: holder, until: now.adding(.minutes(2)), now: now)
      }
      if isOurs == true { return true }
      board.update { $0.trouble = "another process asks Apple about this app" }
      await pause.rest(now.adding(.seconds(5)), now)
    }
    return false
  }

  private func dropLease() async {
    let (name, holder) = (leaseName, holder)
    try? await ledger.committed { (recorder) throws(StoreError) in
      try recorder.dropLease(name, holder: holder)
    }
  }

  private var leaseName: String {
    "reconcile \(scope.environment.rawValue) \(scope.bundleId)"
  }

  /// Keeps the lease, begins what is due, and reads ahead in the rounds.
  ///
  /// - Returns: Whether there is a lease and a store to work with.
  private func prepare(at now: Timestamp) async -> Bool {
    let (name, holder) = (leaseName, holder)
    if leasedUntil < now.adding(.minutes(1)) {
      let isOurs = try? await ledger.committed { (recorder) throws(StoreError) in
        try recorder.takeLease(
          name, holder: holder, until: now.adding(.minutes(2)), now: now)
      }
      guard isOurs == true else { return false }
      leasedUntil = now.adding(.minutes(2))
    }
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
