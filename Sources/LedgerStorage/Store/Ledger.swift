package import AppStoreModel
package import EntitlementLedger

/// A ledger that is kept: what is done to it, one durable transaction each.
///
/// Every completion is called once, after the commit or with the error that left nothing behind,
/// on the store's writer thread (on the caller's own when the store refuses at once).
package final class Ledger: Sendable {
  package typealias Completion<Value> = @Sendable (Result<Value, StoreError>) -> Void

  package let store: any LedgerStore
  package let news = EventNews()
  let kept: KeptRules

  /// Takes a store and what the operator configured; statements in the store count before that.
  package init(store: any LedgerStore, rules: LedgerRules = .standard) {
    self.store = store
    kept = KeptRules(rules)
  }

  /// The rules in force.
  package var rules: LedgerRules { kept.known }

  package var realm: Realm { store.realm }

  /// Opens a way of reading for one thread, which keeps it.
  package func makeReader() throws(StoreError) -> LedgerReader {
    LedgerReader(reader: try store.makeReader(), realm: realm, rules: kept)
  }

  /// Stores deliveries in their order, all or none of them.
  package func record(
    _ deliveries: [Delivery], completion: @escaping Completion<[DeliveryReceipt]>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try deliveries.map { (delivery) throws(StoreError) in try recorder.record(delivery) }
    }
  }

  /// Makes every answer due again if the rules are not those that the stored answers were made by.
  ///
  /// Completes with whether they were others. To be called once after opening.
  package func adoptRules(now: Timestamp, completion: @escaping Completion<Bool>) {
    write(completion) { (recorder) throws(StoreError) in try recorder.adoptRules(now: now) }
  }

  /// Computes anew what changed by time alone: expiry, end of grace and leeway, lapsed holds.
  ///
  /// Completes with how much was due; more may be left when that is `limit`.
  package func processDueDeadlines(
    now: Timestamp, limit: Int = 256, completion: @escaping Completion<DeadlineReport>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.processDueDeadlines(now: now, limit: limit)
    }
  }

  /// Links a chain to a customer in a backend's name.
  package func link(
    _ originalTransactionId: String, to customer: CustomerKey, note: String? = nil,
    now: Timestamp, completion: @escaping Completion<OwnershipOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.link(originalTransactionId, to: customer, note: note, now: now)
    }
  }

  /// Ends the link between a chain and a customer.
  package func unlink(
    _ originalTransactionId: String, from customer: CustomerKey, note: String? = nil,
    now: Timestamp, completion: @escaping Completion<OwnershipOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.unlink(originalTransactionId, from: customer, note: note, now: now)
    }
  }

  /// Moves a chain to a customer in an administrator's name, over everything that is signed.
  package func transfer(
    _ originalTransactionId: String, to customer: CustomerKey, note: String, now: Timestamp,
    completion: @escaping Completion<OwnershipOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.transfer(originalTransactionId, to: customer, note: note, now: now)
    }
  }

  /// Runs any writing of the recorder's as one durable transaction.
  package func write<Value: Sendable>(
    _ completion: @escaping Completion<Value>,
    _ work: @escaping @Sendable (Recorder) throws(StoreError) -> Value
  ) {
    let (realm, kept, news) = (realm, kept, news)
    store.write(
      { (session) throws(StoreError) in
        let tally = EventTally()
        let value = try work(
          Recorder(
            session: session, realm: realm, rules: try kept.current(in: session), tally: tally))
        return Written(value: value, lastEvent: tally.last)
      },
      completion: { result in
        if case .success(let written) = result, let position = written.lastEvent {
          news.committed(upTo: position)
        }
        completion(result.map(\.value))
      })
  }
}

/// What a write gave, and the last event that it added.
private struct Written<Value: Sendable>: Sendable {
  let value: Value
  let lastEvent: Int64?
}

/// What processing the deadlines did.
package struct DeadlineReport: Hashable, Sendable {
  /// How many answers and holds were due.
  package let processed: Int
  /// The earliest moment at which something is due next.
  package let nextDue: Timestamp?
  /// The events that it gave.
  package let events: [Int64]
}

/// What became of a request about whose a purchase is.
package enum OwnershipOutcome: Hashable, Sendable {
  /// It is so now; `changed` tells whether it was not before.
  case done(changed: Bool)
  /// It belongs to another customer.
  case refused(LinkRefusal)
  /// No fact has named the purchase.
  case unknownPurchase
  /// It is not linked to that customer.
  case notLinked
}
