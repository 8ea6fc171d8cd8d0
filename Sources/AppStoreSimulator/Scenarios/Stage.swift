package import AppStoreModel

/// Where a story plays: a store and a clock that the story moves.
package struct Stage: Sendable {
  package var store: SimulatedAppStore
  package private(set) var now: Timestamp

  package init(_ store: SimulatedAppStore, at start: Timestamp) {
    self.store = store
    now = start
  }

  /// Lets time pass.
  package mutating func wait(_ span: TimeSpan) { now = now.adding(span) }

  package mutating func waitDays(_ count: Int64) { wait(.days(count)) }

  // What a story says most often, at the stage's own time.

  package mutating func buy(
    _ product: SimulatedProduct, _ customer: Customer, quantity: Int32 = 1,
    offer: SimulatedOffer? = nil
  ) throws(StoreRefusal) -> String {
    try store.buy(product.id, by: customer, quantity: quantity, offer: offer, at: now)
  }

  /// Waits until an hour before a subscription's period ends, and renews it.
  package mutating func renew(_ chain: String) throws(StoreRefusal) -> String {
    now = max(now, store.end(of: try store.chain(chain)).subtracting(.hours(1)))
    return try store.renew(chain, at: now)
  }

  /// Waits until a minute after a subscription's newest period has ended.
  package mutating func waitForEnd(_ chain: String) throws(StoreRefusal) {
    now = max(now, store.end(of: try store.chain(chain)).adding(.minutes(1)))
  }

  package mutating func refund(
    _ transactionId: String, prorated share: Int32? = nil, because reason: RevocationReason = .other
  ) throws(StoreRefusal) {
    let share = share.flatMap { RevokedShare(percentMilliunits: $0) }
    try store.refund(transactionId, prorated: share, because: reason, at: now)
  }
}
