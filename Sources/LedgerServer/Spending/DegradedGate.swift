import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Synchronization

/// Answers for the spend gate while the store can keep nothing, within a stated budget.
///
/// What it allows is remembered here and recorded as soon as the store takes writes again; only the
/// end of the process loses it, which is what the budget bounds.
final class DegradedGate: Sendable {
  /// What was allowed without being recorded yet.
  struct Entry: Hashable {
    let request: SpendRequest
    let authorization: SpendAuthorization
    /// What the holder said since; `nil` while it is open.
    var end: End?
    var isRecorded = false
  }

  enum End: Hashable {
    case settled(SpendUse, Timestamp)
    case released(Timestamp)
  }

  /// What the store refused to record, and why: kept for whoever asks, until the process ends.
  struct Unrecorded: Hashable {
    let entry: Entry
    let reason: String
  }

  struct State {
    var entries: [Entry] = []
    var unrecorded: [Unrecorded] = []
    /// What was allowed since the outage began, by currency, in microunits.
    var allowed: [Currency: Int64] = [:]
  }

  let spending: Configuration.Spending
  private let ledger: Ledger
  private let reader: KeptReader?
  let state = Mutex(State())
  /// Looks for questions that came while the store hung, since looking may hang as well.
  private let looker: WorkerPool?
  private let watch: StoreWatch?

  init(_ spending: Configuration.Spending, _ ledger: Ledger) {
    self.spending = spending
    self.ledger = ledger
    let allows = spending.whenStoreUnreachable == .allow
    reader = allows ? KeptReader(ledger) : nil
    looker = allows ? WorkerPool(threads: 1, capacity: 1_024) : nil
    watch = allows ? StoreWatch(timeout: spending.storeTimeout) : nil
  }

  /// Ends the threads that looked.
  func close() {
    watch?.close()
    looker?.close()
  }

  /// What waits to be recorded.
  var waiting: Int { state.withLock { $0.entries.count } }

  /// What the store refused to record.
  var unrecorded: Int { state.withLock { $0.unrecorded.count } }

  /// The stated answer to a question that could not be kept.
  func authorize(
    _ request: SpendRequest, id: String, now: Timestamp, _ error: StoreError
  ) -> Result<HTTPResponse, Problem> {
    guard error.isUnreachable else { return .failure(Problem(error)) }
    guard spending.whenStoreUnreachable == .allow else {
      return .failure(Problem(error).denyingSpend)
    }
    if let known = repeated(request, now) { return known }
    return decide(request, id: id, now: now, look(for: request, now: now))
  }

  /// The stated answer to a question that the store did not answer in time.
  ///
  /// What is known is looked up elsewhere, and is left out where that takes too long as well.
  func authorize(
    _ request: SpendRequest, id: String, now: Timestamp, completion: @escaping Route.Completion
  ) {
    guard let watch, let looker else {
      return completion(.failure(Problem.storeHangs.denyingSpend))
    }
    if let known = repeated(request, now) { return completion(known) }
    let blind = DegradedLook(
      request, ledger.rules, nil, heldCredits: heldCredits(of: request), now: now)
    guard !watch.isHanging else {
      return completion(decide(request, id: id, now: now, blind))
    }
    let wait = watch.begin { [self] in completion(decide(request, id: id, now: now, blind)) }
    let isTaken = looker.submit { [self] in
      let look = look(for: request, now: now)
      if wait.end() { completion(decide(request, id: id, now: now, look)) }
    }
    if !isTaken, wait.end() { completion(decide(request, id: id, now: now, blind)) }
  }

  private func look(for request: SpendRequest, now: Timestamp) -> DegradedLook {
    DegradedLook(request, ledger.rules, reader, heldCredits: heldCredits(of: request), now: now)
  }

  private func decide(
    _ request: SpendRequest, id: String, now: Timestamp, _ look: DegradedLook
  ) -> Result<HTTPResponse, Problem> {
    if let known = look.otherUnit { return .failure(.otherUnit(known)) }
    if let reason = look.denial {
      let denied = look.authorization(request, id, .denied, reason, now)
      return .success(SpendRoutes.response(denied, nil))
    }
    let allowed = look.authorization(
      request, id, .open, SpendRefusal.storeUnreachable.rawValue, now)
    if let problem = keep(Entry(request: request, authorization: allowed)) {
      return .failure(problem)
    }
    return .success(SpendRoutes.response(allowed, nil))
  }

  /// The same key within one outage gives the same answer, a deny once its time is over.
  private func repeated(
    _ request: SpendRequest, _ now: Timestamp
  ) -> Result<HTTPResponse, Problem>? {
    guard let key = request.idempotency else { return nil }
    let known = state.withLock { state in
      state.entries.first {
        $0.request.idempotency?.caller == key.caller && $0.request.idempotency?.key == key.key
      }
    }
    guard let known else { return nil }
    guard known.request.idempotency == key else { return .failure(Problem(.idempotencyConflict)) }
    return .success(SpendRoutes.response(known.shown.lapsed(by: now), nil))
  }

  private func heldCredits(of request: SpendRequest) -> Int64 {
    state.withLock { state in
      state.entries.reduce(0) { sum, entry in
        guard entry.request.customer == request.customer,
          entry.request.purpose.credits?.unit == request.purpose.credits?.unit
        else { return sum }
        return sum.saturatingSum(entry.request.purpose.credits?.amount ?? 0)
      }
    }
  }

  /// - Returns: Why it is not allowed: its kind was allowed in another unit, or the budget is used up.
  private func keep(_ entry: Entry) -> Problem? {
    let cost = entry.request.purpose.cost
    return state.withLock { state in
      if let known = state.otherUnit(than: entry.request) { return .otherUnit(known) }
      let sum = state.allowed[cost.currency, default: 0].saturatingSum(cost.microunits)
      guard sum <= spending.degradedBudget else {
        return Problem(.storeUnavailable).denyingSpend
      }
      state.allowed[cost.currency] = sum
      state.entries.append(entry)
      return nil
    }
  }

  func find(
    _ id: String, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) -> HTTPResponse? {
    let entry = state.withLock { state in
      (state.entries + state.unrecorded.map(\.entry)).first { $0.authorization.id == id }
    }
    guard let entry, isVisible(entry.request.customer) else { return nil }
    return SpendRoutes.response(entry.shown.lapsed(by: now), nil)
  }

  /// Takes note of what was spent; `nil` for what is not waiting here.
  func settle(
    _ id: String, _ use: SpendUse, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) -> Result<HTTPResponse, Problem>? {
    end(id, .settled(use, now), within: isVisible) { entry in
      guard use.cost.currency == entry.request.purpose.cost.currency else {
        return Problem(.currencyMismatch)
      }
      if use.credits != nil, entry.request.purpose.credits == nil {
        return .otherUnit("no credits")
      }
      guard case .settled(let known, _)? = entry.end else { return nil }
      return known == use ? nil : Problem(.alreadyClosed, "Its state is settled.")
    }
  }

  /// Takes note that nothing was spent; `nil` for what is not waiting here.
  func release(
    _ id: String, within isVisible: (CustomerKey) -> Bool, now: Timestamp
  ) -> Result<HTTPResponse, Problem>? {
    end(id, .released(now), within: isVisible) { entry in
      guard case .settled? = entry.end else { return nil }
      return Problem(.alreadyClosed, "Its state is settled.")
    }
  }

  private func end(
    _ id: String, _ end: End, within isVisible: (CustomerKey) -> Bool,
    refuse: (Entry) -> Problem?
  ) -> Result<HTTPResponse, Problem>? {
    state.withLock { state in
      guard let place = state.entries.firstIndex(where: { $0.authorization.id == id }),
        isVisible(state.entries[place].request.customer)
      else { return nil }
      if let problem = refuse(state.entries[place]) { return .failure(problem) }
      if case .released? = state.entries[place].end, case .settled = end {
        return .failure(Problem(.alreadyClosed, "Its state is released."))
      }
      if state.entries[place].end == nil { state.entries[place].end = end }
      return .success(SpendRoutes.response(state.entries[place].shown, nil))
    }
  }
}

extension DegradedGate.State {
  /// The unit in which something of the same kind waits to be recorded, where that is another.
  fileprivate func otherUnit(than request: SpendRequest) -> String? {
    let measure = request.purpose.measure
    let same = entries.first {
      $0.request.customer.scope == request.customer.scope
        && $0.request.purpose.measure.kind == measure.kind
    }
    guard let unit = same?.request.purpose.measure.unit, unit != measure.unit else { return nil }
    return unit
  }
}

extension DegradedGate.Entry {
  /// The authorization as its holder left it.
  var shown: SpendAuthorization {
    switch end {
    case nil: authorization
    case .settled(_, let moment): authorization.ended(.settled, at: moment)
    case .released(let moment): authorization.ended(.released, at: moment)
    }
  }
}

extension SpendAuthorization {
  fileprivate func ended(_ state: State, at moment: Timestamp) -> SpendAuthorization {
    SpendAuthorization(
      id: id, customer: customer, purpose: purpose, state: state, reason: reason, version: version,
      originalTransactionId: originalTransactionId, transactionId: transactionId, draws: draws,
      isDegraded: isDegraded, decidedAt: decidedAt, lapsesAt: lapsesAt, endedAt: moment)
  }
}

extension StoreError {
  /// Whether nothing can be kept at the moment, for a reason outside of us.
  fileprivate var isUnreachable: Bool {
    switch self {
    case .unlinked, .full, .unavailable, .damaged: true
    case .closed, .busy, .inconsistent: false
    }
  }
}
