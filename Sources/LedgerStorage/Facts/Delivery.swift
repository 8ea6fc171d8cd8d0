package import AppStoreModel
package import EntitlementLedger

/// What reached us, verified, with what the ledger is to make of it.
package struct Delivery: Sendable {
  /// What it does to the ledger.
  package enum Effect: Sendable {
    case applied(LedgerFact)
    /// Stored and shown, and changes nothing: signed too long ago to be believed without Apple.
    case held(LedgerFact, reason: String)
    /// Stored and acknowledged, and changes nothing: not understood, or about no purchase.
    case opaque(Scope?, reason: String)
  }

  /// What is kept of it.
  package enum Body: Sendable {
    case signed(SignedRecord)
    /// A status that nobody signed, beside what was signed.
    case reportedStatus(
      SubscriptionStatus, transaction: SignedRecord, renewal: SignedRecord?)
  }

  package let effect: Effect
  package let body: Body
  package let channel: Channel
  package let receivedAt: Timestamp

  package init(effect: Effect, body: Body, channel: Channel, receivedAt: Timestamp) {
    self.effect = effect
    self.body = body
    self.channel = channel
    self.receivedAt = receivedAt
  }
}

/// What became of a delivery, once it is durable.
package struct DeliveryReceipt: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It is new, or new by this channel, and its effect was applied.
    case stored
    /// The same bytes came by the same channel before: nothing was changed.
    case repeated
    /// Stored without effect until Apple's API confirms it.
    case held
    /// Stored and acknowledged, but not understood.
    case opaque
  }

  package let outcome: Outcome
  /// Names the stored fact.
  package let factID: Int64
  /// Events that it gave, in order.
  package let events: [Int64]
  /// Whose answer or money it changed, or `nil`.
  package let customer: CustomerKey?
  /// What of it a person should look at, and was not told of before.
  package let alerts: [Alert]

  init(
    outcome: Outcome, factID: Int64, events: [Int64], customer: CustomerKey?, alerts: [Alert] = []
  ) {
    self.outcome = outcome
    self.factID = factID
    self.events = events
    self.customer = customer
    self.alerts = alerts
  }
}
