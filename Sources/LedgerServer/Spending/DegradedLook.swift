import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Synchronization

/// What can still be read about a question while nothing can be written.
struct DegradedLook {
  /// `nil` where nothing can be read either.
  private(set) var decision: Decision?
  private(set) var version: Int64 = 0
  /// The unit in which the store counts its kind, where that is another.
  private(set) var otherUnit: String?
  /// Why it is denied all the same.
  private(set) var denial: String?

  init(
    _ request: SpendRequest, _ rules: LedgerRules, _ reader: KeptReader?, heldCredits: Int64,
    now: Timestamp
  ) {
    guard let (state, balances, unit) = reader?.look(for: request, now: now) else { return }
    if let unit, unit != request.purpose.measure.unit { otherUnit = unit }
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
final class KeptReader: Sendable {
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

  /// How the customer stands, and the unit in which what is asked for is counted.
  func look(
    for request: SpendRequest, now: Timestamp
  ) -> (CustomerState, CustomerBalances, unit: String?)? {
    let (customer, kind) = (request.customer, request.purpose.measure.kind)
    return slot.withLock { slot in
      try? slot?.reader.read { (recorder) throws(StoreError) in
        (
          try recorder.state(of: customer, now: now),
          try recorder.balances(of: customer, now: now),
          unit: try recorder.unit(ofKind: kind, in: customer.scope)
        )
      }
    }
  }
}
