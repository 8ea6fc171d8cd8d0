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

  struct State {
    var entries: [Entry] = []
    /// What was allowed since the outage began, by currency, in microunits.
    var allowed: [Currency: Int64] = [:]
  }

  let spending: Configuration.Spending
  private let rules: LedgerRules
  private let reader: KeptReader?
  let state = Mutex(State())

  init(_ spending: Configuration.Spending, _ ledger: Ledger) {
    self.spending = spending
    rules = ledger.rules
    reader = spending.whenStoreUnreachable == .allow ? KeptReader(ledger) : nil
  }

  /// What waits to be recorded.
  var waiting: Int { state.withLock { $0.entries.count } }

  /// The stated answer to a question that could not be kept.
  func authorize(
    _ request: SpendRequest, id: String, now: Timestamp, _ error: StoreError
  ) -> Result<HTTPResponse, Problem> {
    guard error.isUnreachable else { return .failure(Problem(error)) }
    guard spending.whenStoreUnreachable == .allow else {
      return .failure(Problem(error).denyingSpend)
    }
    if let known = repeated(request) { return known }
    let look = Look(request, rules, reader, heldCredits: heldCredits(of: request), now: now)
    if let reason = look.denial {
      let denied = look.authorization(request, id, .denied, reason, now)
      return .success(SpendRoutes.response(denied, nil))
    }
    let allowed = look.authorization(
      request, id, .open, SpendRefusal.storeUnreachable.rawValue, now)
    guard keep(Entry(request: request, authorization: allowed)) else {
      return .failure(Problem(error).denyingSpend)
    }
    return .success(SpendRoutes.response(allowed, nil))
  }

  /// The same key within one outage gives the same answer.
  private func repeated(_ request: SpendRequest) -> Result<HTTPResponse, Problem>? {
    guard let key = request.idempotency else { return nil }
    let known = state.withLock { state in
      state.entries.first {
        $0.request.idempotency?.caller == key.caller && $0.request.idempotency?.key == key.key
      }
    }
    guard let known else { return nil }
    guard known.request.idempotency == key else { return .failure(Problem(.idempotencyConflict)) }
    return .success(SpendRoutes.response(known.shown, nil))
  }

  private func heldCredits(of request: SpendRequest) -> Int64 {
    state.withLock { state in
      state.entries.reduce(0) { sum, entry in
        guard entry.request.customer == request.customer,
          entry.request.purpose.credits?.unit == request.purpose.credits?.unit
        else { return sum }
        return sum + (entry.request.purpose.credits?.amount ?? 0)
      }
    }
  }

  /// - Returns: Whether the budget allowed it.
  private func keep(_ entry: Entry) -> Bool {
    let cost = entry.request.purpose.cost
    return state.withLock { state in
      let sum = state.allowed[cost.currency, default: 0] + cost.microunits
      guard sum <= spending.degradedBudget else { return false }
      state.allowed[cost.currency] = sum
      state.entries.append(entry)
      return true
    }
  }

  func find(_ id: String, within isVisible: (CustomerKey) -> Bool) -> HTTPResponse? {
    let entry = state.withLock { $0.entries.first { $0.authorization.id == id } }
    guard let entry, isVisible(entry.request.customer) else { return nil }
    return SpendRoutes.response(entry.shown, nil)
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

/// What can still be read about a question while nothing can be written.
private struct Look {
  /// `nil` where nothing can be read either.
  private(set) var decision: Decision?
  private(set) var version: Int64 = 0
  /// Why it is denied all the same.
  private(set) var denial: String?

  init(
    _ request: SpendRequest, _ rules: LedgerRules, _ reader: KeptReader?, heldCredits: Int64,
    now: Timestamp
  ) {
    guard let (state, balances) = reader?.look(at: request.customer, now: now) else { return }
    version = state.version
    if let entitlement = request.purpose.entitlement {
      let decision = state.decision(on: entitlement)
      self.decision = decision
      let policy = rules.policy(request.customer.scope.bundleId).entry(at: now)
      let isDenied =
        decision.verdict == .denied
        || (decision.verdict == .unknown && policy.unknownCustomer == .deny)
      if isDenied { denial = decision.reason.rawValue }
    }
    guard denial == nil, let credits = request.purpose.credits else { return }
    let book = balances.balances.first { $0.unit == credits.unit }?.book
    if book?.isFrozen == true {
      denial = SpendRefusal.creditsFrozen.rawValue
    } else if (book?.available ?? 0) - heldCredits < credits.amount {
      denial = SpendRefusal.insufficientCredits.rawValue
    }
  }

  func authorization(
    _ request: SpendRequest, _ id: String, _ state: SpendAuthorization.State, _ reason: String,
    _ now: Timestamp
  ) -> SpendAuthorization {
    SpendAuthorization(
      id: id, customer: request.customer, purpose: request.purpose, state: state, reason: reason,
      version: version,
      originalTransactionId: decision?.evidence.chain?.originalTransactionId,
      transactionId: decision?.evidence.transactionId, draws: [], isDegraded: true,
      decidedAt: now, lapsesAt: state == .open ? now.adding(request.holdLength) : nil,
      endedAt: nil)
  }
}

/// A reader that is opened while the store is well: of a file that is away none can be opened, but one
/// that was goes on reading what was last known.
private final class KeptReader: Sendable {
  /// Touched by one thread at a time, which the mutex sees to.
  private struct Slot: @unchecked Sendable {
    let reader: LedgerReader
  }

  private let slot: Mutex<Slot?>

  init(_ ledger: Ledger) {
    let reader = try? ledger.makeReader()
    _ = try? reader?.counts()
    slot = Mutex(reader.map { Slot(reader: $0) })
  }

  func look(
    at customer: CustomerKey, now: Timestamp
  ) -> (CustomerState, CustomerBalances)? {
    slot.withLock { slot in
      try? slot?.reader.read { (recorder) throws(StoreError) in
        (
          try recorder.state(of: customer, now: now),
          try recorder.balances(of: customer, now: now)
        )
      }
    }
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
