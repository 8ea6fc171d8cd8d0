package import AppStoreModel
package import EntitlementLedger

extension Ledger {
  /// Asks the spend gate: decides and reserves in one durable step.
  package func authorize(
    _ request: SpendRequest, id: String, now: Timestamp,
    completion: @escaping Completion<AuthorizationOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.authorize(request, id: id, now: now)
    }
  }

  /// Records what was spent on an authorization.
  package func settle(
    _ id: String, cost: Cost, within isVisible: @escaping @Sendable (CustomerKey) -> Bool,
    now: Timestamp, completion: @escaping Completion<SettlementOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.settle(id, cost: cost, within: isVisible, now: now)
    }
  }

  /// Gives a hold back.
  package func release(
    _ id: String, within isVisible: @escaping @Sendable (CustomerKey) -> Bool, now: Timestamp,
    completion: @escaping Completion<SettlementOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.release(id, within: isVisible, now: now)
    }
  }
}
