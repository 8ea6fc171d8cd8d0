import AppStoreModel
import EntitlementLedger

extension Payout {
  /// How a payout stands after what is known of its purchase has changed.
  struct Standing: Hashable {
    var state: State
    var revokedAt: Timestamp?
    var refunded: Int64
    var paidAt: Timestamp?
  }

  var standing: Standing {
    Standing(state: state, revokedAt: revokedAt, refunded: refunded.microunits, paidAt: paidAt)
  }

  /// Applies a refund or what undid it.
  ///
  /// Only money that went back counts: a revocation without one leaves the payout alone.
  func following(_ takenBack: CreditGrant.TakenBack?, at now: Timestamp) -> Standing {
    var next = standing
    if let takenBack, takenBack.isRefund {
      next.revokedAt = takenBack.key.revocationDate
      next.refunded = takenBack.part(of: terms.cost.microunits)
      let isWhole = next.refunded == terms.cost.microunits
      switch state {
      case .held, .payable, .withheld:
        next.state = isWhole ? .withheld : waiting(at: now)
      case .paid, .clawBack: next.state = next.refunded > 0 ? .clawBack : .paid
      case .recovered: break
      }
      return next
    }
    next.revokedAt = nil
    next.refunded = 0
    switch state {
    case .withheld: next.state = waiting(at: now)
    case .clawBack: next.state = .paid
    case .recovered:
      guard revokedAt != nil else { break }
      next.state = .payable
      next.paidAt = nil
    case .held, .payable, .paid: break
    }
    return next
  }

  private func waiting(at now: Timestamp) -> State { releaseAt <= now ? .payable : .held }
}
