package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// All statements about a subject, the first one first.
  package func statements(
    about key: StatedRules.Key
  ) throws(StoreError) -> [StatedRules.Statement] {
    try StatementTable(session: session).all(about: key)
  }

  /// Has the answers computed anew that other rules may change.
  fileprivate func adopt(
    instead old: LedgerRules, for key: StatedRules.Key, now: Timestamp
  ) throws(StoreError) {
    try rememberRules()
    let isWhole =
      old.catalog(key.bundleId).isEmpty != rules.catalog(key.bundleId).isEmpty
    if case .product(let productId) = key.subject, !isWhole {
      try customers.makeDue(buying: productId, in: key.bundleId, at: now)
    } else {
      try customers.makeDue(in: key.bundleId, at: now)
    }
  }
}

extension Ledger {
  /// States what a product means or how doubt is treated, from this commit on.
  ///
  /// Completes with whether that is anything else than before.
  package func state(
    _ statement: StatedRules.Statement, about key: StatedRules.Key,
    completion: @escaping Completion<Bool>
  ) {
    let kept = kept
    let whenDone: Completion<Bool> = { result in
      if case .failure = result { kept.replace(with: nil) }
      completion(result)
    }
    write(whenDone) { (recorder) throws(StoreError) in
      let table = StatementTable(session: recorder.session)
      let before = try table.all(about: key).last?.content ?? .withdrawn
      guard statement.content != before else { return false }
      try table.insert(statement, about: key)
      let rules = kept.configured.with(try table.standing())
      // What is written after this in the same commit is written by the new rules.
      kept.replace(with: rules)
      do throws(StoreError) {
        try recorder.with(rules).adopt(instead: recorder.rules, for: key, now: statement.statedAt)
        if statement.content.fillsBalances { try recorder.restartLotFill() }
      } catch {
        kept.replace(with: nil)
        throw error
      }
      return true
    }
  }

  /// Fills the lots of consumables that have an amount now and had none, a piece at a time.
  ///
  /// It goes on where it was cut off, also after a restart, and is quickly done where nothing is left.
  package func fillLots(now: Timestamp, completion: @escaping Completion<Void>) {
    let next: Completion<Bool> = { [self] result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(false): completion(.success(()))
      case .success(true): fillLots(now: now, completion: completion)
      }
    }
    write(next) { (recorder) throws(StoreError) in
      try recorder.fillLots(limit: 256, now: now)
    }
  }
}

extension StatedRules.Content {
  /// Whether purchases that filled no balance may fill one now.
  package var fillsBalances: Bool {
    switch self {
    case .withdrawn: true
    case .catalog(let entries): entries.contains { $0.creditsPerUnit != nil }
    case .policy: false
    }
  }
}
