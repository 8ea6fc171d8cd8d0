package import AppStoreModel
package import EntitlementLedger

/// Money that a purchase pays to somebody else, such as a creator: out of the door it does not come
/// back with a refund, so it waits until a refund has become unlikely.
package struct Payout: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// The time in which its purchase may be refunded is not over.
    case held
    /// What is outstanding may be paid.
    case payable
    /// The backend says that it was.
    case paid
    /// Its purchase was refunded before it was paid.
    case withheld
    /// Its purchase was refunded after it was paid: what is outstanding is to be got back.
    case clawBack
    /// The backend says that it was got back.
    case recovered
  }

  /// What the backend states.
  package struct Terms: Hashable, Sendable {
    package let scope: Scope
    /// The backend's own name for it, once in an app and environment.
    package let id: String
    package let originalTransactionId: String
    package let transactionId: String
    /// Whom it goes to, in the backend's words.
    package let payee: String
    package let cost: Cost

    package init(
      scope: Scope, id: String, originalTransactionId: String, transactionId: String,
      payee: String, cost: Cost
    ) {
      self.scope = scope
      self.id = id
      self.originalTransactionId = originalTransactionId
      self.transactionId = transactionId
      self.payee = payee
      self.cost = cost
    }
  }

  package let position: Int64
  package let terms: Terms
  package let state: State
  /// Whose purchase it is, when that is known.
  package let customer: CustomerID?
  package let statedAt: Timestamp
  package let releaseAt: Timestamp
  package let paidAt: Timestamp?
  package let recoveredAt: Timestamp?
  /// Of the refund that stands.
  package let revokedAt: Timestamp?
  /// The part that went with the refund: of a prorated one less than the whole.
  package let refunded: Cost

  /// What the payee has: what was paid without what was got back.
  package let paid: Cost

  /// What the payee is to have after the refund.
  package var due: Cost { difference(terms.cost, refunded) }

  /// What is to be paid before the payee has what is due, or to be got back.
  package var outstanding: Cost { difference(due, paid) }

  private func difference(_ left: Cost, _ right: Cost) -> Cost {
    Cost(microunits: abs(left.microunits - right.microunits), currency: terms.cost.currency) ?? left
  }
}

/// What stating or changing a payout came to.
package enum PayoutOutcome: Hashable, Sendable {
  case done(Payout)
  case unknownPayout
  /// Nothing is known of the purchase.
  case unknownPurchase
  /// It was stated with other terms.
  case conflict
  /// Its state does not allow it.
  case refused(Payout.State)
}
