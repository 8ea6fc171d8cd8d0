import AppStoreModel
import EntitlementLedger

extension Payout {
  /// How a payout stands after what is known of its purchase has changed.
  struct Standing: Hashable {
    var state: State
    var revokedAt: Timestamp?
    var refunded: Int64
    /// What the payee has.
    var paid: Int64
    var paidAt: Timestamp?
  }

  var standing: Standing {
    Standing(
      state: state, revokedAt: revokedAt, refunded: refunded.microunits, paid: paid.microunits,
      paidAt: paidAt)
  }

  /// Applies a refund or what undid it.
  ///
  /// Only money that went back counts: a revocation without one leaves the payout alone.
  func following(_ takenBack: CreditGrant.TakenBack?, at now: Timestamp) -> Standing {
    let refund = takenBack.flatMap { $0.isRefund ? $0 : nil }
    var next = standing
    next.revokedAt = refund?.key.revocationDate
    next.refunded = refund?.part(of: terms.cost.microunits) ?? 0
    next.state = state(of: next, at: now)
    return next
  }

  /// What follows from what the payee has and what is due after the refund.
  private func state(of standing: Standing, at now: Timestamp) -> State {
    let due = terms.cost.microunits - standing.refunded
    if standing.paid > due { return .clawBack }
    if standing.paid < due { return waiting(at: now) }
    if state == .recovered { return .recovered }
    if standing.paid == 0, standing.refunded > 0 { return .withheld }
    return standing.paidAt == nil ? waiting(at: now) : .paid
  }

  private func waiting(at now: Timestamp) -> State { releaseAt <= now ? .payable : .held }
}
