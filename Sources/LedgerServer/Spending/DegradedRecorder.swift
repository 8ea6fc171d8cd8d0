import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage
import Synchronization

/// Records what was allowed while the store could keep nothing, as soon as it can again.
final class DegradedRecorder: Sendable {
  private let gate: DegradedGate
  private let ledger: Ledger
  private let metrics: Metrics
  private let log: Log
  private let thread = WakeableThread()

  init(_ gate: DegradedGate, _ ledger: Ledger, metrics: Metrics, log: Log) {
    self.gate = gate
    self.ledger = ledger
    self.metrics = metrics
    self.log = log
    guard gate.spending.whenStoreUnreachable == .allow else { return }
    thread.start { [self] in
      thread.takeTurns(pausing: 200) {
        record()
        return false
      }
    }
  }

  /// Tries once more, and tells what is lost if the store still takes nothing.
  func close() {
    thread.close()
    record()
    let lost = gate.waiting + gate.unrecorded
    if lost > 0 {
      log.write(LogLine(.error, "degradedSpendLost").with("authorizations", Int64(lost)))
    }
  }

  private func record() {
    let waiting = gate.state.withLock { $0.entries }
    guard !waiting.isEmpty, (try? ledger.store.check()) != nil else { return }
    do throws(StoreError) {
      conclude(waiting, try refusals(of: waiting))
    } catch {
      // One that cannot be recorded at all must not keep the others waiting.
      guard case .inconsistent = error else { return }
      for entry in waiting { recordAlone(entry) }
    }
  }

  private func recordAlone(_ entry: DegradedGate.Entry) {
    do throws(StoreError) {
      conclude([entry], try refusals(of: [entry]))
    } catch {
      if case .inconsistent = error { conclude([entry], [error.description]) }
    }
  }

  /// Records all of them in one transaction.
  ///
  /// - Returns: For each why it was not recorded; `nil` for what was.
  private func refusals(of entries: [DegradedGate.Entry]) throws(StoreError) -> [String?] {
    try ledger.wait { completion in
      ledger.write(completion) { (recorder) throws(StoreError) in
        try entries.map { (entry) throws(StoreError) in try recorder.record(entry) }
      }
    }
  }

  /// Lets go of what was recorded, keeps the rest where it can be seen, and tells of both.
  private func conclude(_ entries: [DegradedGate.Entry], _ refusals: [String?]) {
    let recorded = zip(entries, refusals).filter { $1 == nil }.map(\.0)
    gate.recorded(recorded)
    if !recorded.isEmpty {
      log.write(
        LogLine(.warning, "degradedSpendRecorded").with("authorizations", Int64(recorded.count)))
    }
    for _ in recorded { metrics.count("degraded_spend", "recorded") }
    for case (let entry, let reason?) in zip(entries, refusals) {
      gate.setAside(entry, reason)
      metrics.count("degraded_spend", "unrecorded")
      log.write(line(entry, reason))
    }
  }

  private func line(_ entry: DegradedGate.Entry, _ reason: String) -> LogLine {
    let cost = entry.spent ?? entry.request.purpose.cost
    return LogLine(.error, "degradedSpendUnrecorded")
      .with("authorization", entry.authorization.id).with("detail", reason)
      .with("state", entry.shown.state.rawValue).with("microunits", cost.microunits)
      .with("currency", cost.currency.code)
  }
}

extension DegradedGate.Entry {
  /// What its holder said was spent.
  fileprivate var spent: Cost? {
    guard case .settled(let use, _) = end else { return nil }
    return use.cost
  }
}

extension DegradedGate {
  /// Lets go of what was recorded; what its holder ended meanwhile has that still to be recorded.
  fileprivate func recorded(_ entries: [Entry]) {
    state.withLock { state in
      for entry in entries {
        guard let place = state.place(of: entry) else { continue }
        if state.entries[place].end == entry.end {
          state.entries.remove(at: place)
        } else {
          state.entries[place].isRecorded = true
        }
      }
      if state.entries.isEmpty { state.allowed = [:] }
    }
  }

  /// Keeps what the store refuses, out of the way of the others.
  fileprivate func setAside(_ entry: Entry, _ reason: String) {
    state.withLock { state in
      guard let place = state.place(of: entry) else { return }
      state.unrecorded.append(
        Unrecorded(entry: state.entries.remove(at: place), reason: reason))
      if state.entries.isEmpty { state.allowed = [:] }
    }
  }
}

extension DegradedGate.State {
  fileprivate func place(of entry: DegradedGate.Entry) -> Int? {
    entries.firstIndex { $0.authorization.id == entry.authorization.id }
  }
}

extension Recorder {
  /// - Returns: Why it cannot be recorded; `nil` where it is.
  fileprivate func record(_ entry: DegradedGate.Entry) throws(StoreError) -> String? {
    let id = entry.authorization.id
    // A transaction that was said to have failed may be durable all the same.
    if try authorization(id) == nil { try allow(entry) }
    switch entry.end {
    case nil: return nil
    case .settled(let use, let moment):
      return try settle(id, use, within: { _ in true }, now: moment).refusal
    case .released(let moment):
      return try release(id, within: { _ in true }, now: moment).refusal
    }
  }

  private func allow(_ entry: DegradedGate.Entry) throws(StoreError) {
    let (id, decidedAt) = (entry.authorization.id, entry.authorization.decidedAt)
    let outcome = try authorize(
      entry.request.degraded(entry.request.idempotency), id: id, now: decidedAt)
    if case .decided = outcome { return }
    // The key may have been used before the outage: what was allowed is recorded all the same.
    _ = try authorize(entry.request.degraded(nil), id: id, now: decidedAt)
  }
}

extension SettlementOutcome {
  /// Why nothing was recorded; `nil` where it was.
  fileprivate var refusal: String? {
    switch self {
    case .done: nil
    case .unknownAuthorization: "unknownAuthorization"
    case .conflict: "idempotencyConflict"
    case .currencyMismatch: "currencyMismatch"
    case .unitMismatch: "unitMismatch"
    case .alreadyClosed(let known): "alreadyClosed: " + known.state.rawValue
    }
  }
}

extension SpendRequest {
  fileprivate func degraded(_ key: RequestKey?) -> SpendRequest {
    SpendRequest(
      customer: customer, purpose: purpose, holdLength: holdLength, limits: limits,
      isDegraded: true, idempotency: key)
  }
}
