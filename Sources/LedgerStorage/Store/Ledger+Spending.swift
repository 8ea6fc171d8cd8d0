package import AppStoreModel

extension Ledger {
  /// Asks the spend gate: decides and reserves in one durable step.
  ///
  /// `isWanted` is asked when its turn has come: nothing is done where nobody waits any more.
  package func authorize(
    _ request: SpendRequest, id: String, now: Timestamp,
    isWanted: @escaping @Sendable () -> Bool = { true },
    completion: @escaping Completion<AuthorizationOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      guard isWanted() else { throw .busy(waiting: 0) }
      return try recorder.authorize(request, id: id, now: now)
    }
  }

  /// Records what was spent on an authorization.
  package func settle(
    _ id: String, _ use: SpendUse, key: RequestKey? = nil,
    within isVisible: @escaping @Sendable (CustomerKey) -> Bool, now: Timestamp,
    completion: @escaping Completion<SettlementOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.settle(id, use, key: key, within: isVisible, now: now)
    }
  }

  /// Gives a hold back.
  package func release(
    _ id: String, key: RequestKey? = nil,
    within isVisible: @escaping @Sendable (CustomerKey) -> Bool, now: Timestamp,
    completion: @escaping Completion<SettlementOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.release(id, key: key, within: isVisible, now: now)
    }
  }

  /// Records spend that was not asked for first.
  package func report(
    _ items: [SpendReport], key: RequestKey? = nil, now: Timestamp,
    completion: @escaping Completion<RecordingOutcome>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.report(items, key: key, now: now)
    }
  }
}
