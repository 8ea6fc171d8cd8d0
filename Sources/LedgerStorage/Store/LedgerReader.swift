package import AppStoreModel
package import EntitlementLedger

/// Reads a ledger; used by one thread at a time.
///
/// Each call sees one moment of the store, and never less than what was committed before it.
package final class LedgerReader {
  private let reader: any StoreReader
  private let realm: Realm
  private let rules: KeptRules

  init(reader: any StoreReader, realm: Realm, rules: KeptRules) {
    self.reader = reader
    self.realm = realm
    self.rules = rules
  }

  /// What a customer has at `now`.
  ///
  /// Where a stored answer is still good it is given as it is; where its time is over it is
  /// computed, and its version follows as soon as the deadline has been processed.
  package func answer(
    of customer: CustomerKey, now: Timestamp
  ) throws(StoreError) -> CustomerState {
    try read { (recorder) throws(StoreError) in try recorder.state(of: customer, now: now) }
  }

  /// What a customer has of one entitlement at `now`, without reading what it has besides.
  package func answer(
    of customer: CustomerKey, on entitlement: String, now: Timestamp
  ) throws(StoreError) -> CustomerState {
    try read { (recorder) throws(StoreError) in
      try recorder.state(of: customer, on: entitlement, now: now)
    }
  }

  /// What a customer had at a moment in the past, from the facts signed by then.
  package func answer(
    of customer: CustomerKey, at moment: Timestamp
  ) throws(StoreError) -> CustomerState {
    try read { (recorder) throws(StoreError) in try recorder.state(of: customer, at: moment) }
  }

  /// One chain as it is known; `nil` for one that no fact has named.
  package func chain(_ key: ChainKey) throws(StoreError) -> Chain? {
    try read { (recorder) throws(StoreError) in try recorder.chains.find(key)?.chain }
  }

  /// Whose a chain is; `nil` for an unknown one and for one that nobody owns.
  package func owner(of key: ChainKey) throws(StoreError) -> CustomerID? {
    try read { (recorder) throws(StoreError) in
      guard let id = try recorder.chains.find(key)?.customerID else { return nil }
      return try recorder.customers.find(id: id).key.id
    }
  }

  /// Events in order, from the first after `position`.
  package func events(after position: Int64, limit: Int) throws(StoreError) -> [StoredEvent] {
    try read { (recorder) throws(StoreError) in
      try recorder.events.after(position, limit: limit)
    }
  }

  package func lastEventPosition() throws(StoreError) -> Int64 {
    try read { (recorder) throws(StoreError) in try recorder.events.last() }
  }

  /// When an answer or a hold changes next without a fact.
  package func nextDeadline() throws(StoreError) -> Timestamp? {
    try read { (recorder) throws(StoreError) in try recorder.nextDue() }
  }

  /// A stored JWS, put together again byte for byte; `nil` for a fact nobody signed.
  package func signedRecord(_ factID: Int64) throws(StoreError) -> SignedRecord? {
    try read { (recorder) throws(StoreError) in try recorder.facts.signedRecord(factID) }
  }

  /// One hash over state, answers and money: the same for the same facts in any order.
  package func digest() throws(StoreError) -> String {
    try read { (recorder) throws(StoreError) in try recorder.digest() }
  }

  /// Runs any reading of the recorder's at one moment of the store.
  package func read<Value>(
    _ body: (Recorder) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try reader.read { (session) throws(StoreError) in
      try body(
        Recorder(session: session, realm: realm, rules: try rules.current(in: session)))
    }
  }
}
