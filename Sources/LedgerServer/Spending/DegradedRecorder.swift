import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage
import Synchronization

/// Records what was allowed while the store could keep nothing, as soon as it can again.
final class DegradedRecorder: Sendable {
  private let gate: DegradedGate
  private let ledger: Ledger
  private let log: Log
  private let thread = WakeableThread()

  init(_ gate: DegradedGate, _ ledger: Ledger, log: Log) {
    self.gate = gate
    self.ledger = ledger
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
    if gate.waiting > 0 {
      log.write(
        LogLine(.error, "degradedSpendLost").with("authorizations", Int64(gate.waiting)))
    }
  }

  private func record() {
    let waiting = gate.state.withLock { $0.entries }
    guard !waiting.isEmpty, (try? ledger.store.check()) != nil else { return }
    do throws(StoreError) {
      try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in
          for entry in waiting { try recorder.record(entry) }
        }
      }
    } catch {
      return
    }
    gate.recorded(waiting)
    log.write(
      LogLine(.warning, "degradedSpendRecorded").with("authorizations", Int64(waiting.count)))
  }
}

extension DegradedGate {
  /// Lets go of what was recorded; what its holder ended meanwhile has that still to be recorded.
  fileprivate func recorded(_ entries: [Entry]) {
    state.withLock { state in
      for entry in entries {
        guard
          let place = state.entries.firstIndex(where: {
            $0.authorization.id == entry.authorization.id
          })
        else { continue }
        if state.entries[place].end == entry.end {
          state.entries.remove(at: place)
        } else {
          state.entries[place].isRecorded = true
        }
      }
      if state.entries.isEmpty { state.allowed = [:] }
    }
  }
}

extension Recorder {
  fileprivate func record(_ entry: DegradedGate.Entry) throws(StoreError) {
    let id = entry.authorization.id
    if !entry.isRecorded {
      let decidedAt = entry.authorization.decidedAt
      let outcome = try authorize(
        entry.request.degraded(entry.request.idempotency), id: id, now: decidedAt)
      // The key may have been used before the outage: what was allowed is recorded all the same.
      if case .decided = outcome {
      } else {
        _ = try authorize(entry.request.degraded(nil), id: id, now: decidedAt)
      }
    }
    switch entry.end {
    case nil: break
    case .settled(let use, let moment):
      _ = try settle(id, use, within: { _ in true }, now: moment)
    case .released(let moment):
      _ = try release(id, within: { _ in true }, now: moment)
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
