package import AppStoreModel
package import EntitlementLedger

extension Ledger {
  /// Records a customer's consent or its withdrawal; completes with whether that is news.
  package func record(
    _ consent: Consent, of customer: CustomerKey, completion: @escaping Completion<Bool>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.record(consent, of: customer)
    }
  }

  /// Registers an `appAccountToken` for a customer.
  package func register(
    token: String, to customer: CustomerKey, note: String? = nil, now: Timestamp,
    completion: @escaping Completion<TokenOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.register(token: token, to: customer, note: note, now: now)
    }
  }

  /// Writes what became of a consumption request; completes with the events that it gave.
  package func update(
    _ update: RequestUpdate, now: Timestamp, completion: @escaping Completion<[Int64]>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.update(update, now: now)
    }
  }

  /// Has every open consumption request looked at again.
  package func reconsiderRequests(now: Timestamp, completion: @escaping Completion<Void>) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.reconsiderRequests(now: now)
    }
  }
}

extension LedgerReader {
  package func consent(of customer: CustomerKey) throws(StoreError) -> Consent? {
    try read { (recorder) throws(StoreError) in try recorder.consent(of: customer) }
  }

  /// Refund cases of one app and environment, in order of opening.
  package func refundCases(
    in scope: Scope, after position: Int64 = 0, limit: Int
  ) throws(StoreError) -> [StoredCase] {
    try read { (recorder) throws(StoreError) in
      guard let scopeID = try recorder.chains.scopes.find(scope) else { return [] }
      return try recorder.cases.all(inScope: scopeID, after: position, limit: limit)
    }
  }

  /// Requests whose turn it is by `now`, the longest due first.
  package func dueRequests(by now: Timestamp, limit: Int) throws(StoreError) -> [DueRequest] {
    try read { (recorder) throws(StoreError) in try recorder.dueRequests(by: now, limit: limit) }
  }

  /// One request as it is now.
  package func dueRequest(
    _ position: Int64, _ notificationUUID: String
  ) throws(StoreError) -> DueRequest? {
    try read { (recorder) throws(StoreError) in
      try recorder.dueRequest(position, notificationUUID)
    }
  }

  package func nextDueRequest() throws(StoreError) -> Timestamp? {
    try read { (recorder) throws(StoreError) in try recorder.nextDueRequest() }
  }
}
