package import AppStoreModel
import EntitlementLedger

extension Holdings {
  /// What the next run should know: with "no" as readily as with "yes", for it is the evidence that is
  /// kept and not the answer.
  func cacheFile(at now: Timestamp) -> CacheFile {
    CacheFile(
      realm: realm.description, bundleID: bundleID, environment: environment?.rawValue,
      owner: owner, savedAtMs: now.millisecondsSince1970,
      newestSignedMs: clock.newestSigned.millisecondsSince1970,
      latestSeenMs: clock.latestSeen.millisecondsSince1970,
      transactions: copies.values.map(\.jws).sorted(),
      states: states.values.map {
        CacheFile.State(
          state: $0.state.rawValue, transaction: $0.transaction, renewal: $0.renewal)
      }.sorted { $0.transaction < $1.transaction },
      vouchers: vouchers.map { key, voucher in
        CacheFile.Vouched(
          originalTransactionID: key.originalTransactionId,
          environment: key.scope.environment.rawValue, atMs: voucher.at.millisecondsSince1970)
      }.sorted { $0.originalTransactionID < $1.originalTransactionID },
      delivered: delivered.sorted(),
      unreported: unreported.isEmpty ? nil : unreported.map(\.line),
      appTakenBackAtMs: appTakenBackAt?.millisecondsSince1970)
  }

  /// Takes in what an earlier run knew; the store has vouched for none of it in this run.
  mutating func restore(_ file: CacheFile) throws(CacheProblem) {
    guard file.realm == realm.description, file.bundleID == bundleID else { throw .foreign }
    owner = file.owner
    environment = file.environment.map { AppStoreEnvironment(rawValue: $0) }
    for jws in file.transactions { _ = take(Self.transaction(jws), from: .cache) }
    for state in file.states { restore(state) }
    for vouched in file.vouchers { restore(vouched) }
    delivered = Set(file.delivered)
    unreported = (file.unreported ?? []).compactMap { ReportQueue.Text($0[...]) }
    appTakenBackAt = file.appTakenBackAtMs.map { Timestamp(millisecondsSince1970: $0) }
    clock.see(signed: Timestamp(millisecondsSince1970: file.newestSignedMs))
    clock.see(Timestamp(millisecondsSince1970: file.latestSeenMs))
  }

  private mutating func restore(_ state: CacheFile.State) {
    let renewal = state.renewal.map { jws in
      StoreRenewal(jws: jws, payload: SignedPayload.json(of: jws).flatMap(SignedPayload.renewal))
    }
    let status = StoreStatus(
      state: SubscriptionStatus(rawValue: state.state),
      transaction: Self.transaction(state.transaction), renewal: renewal)
    _ = take(status, from: .cache)
  }

  private mutating func restore(_ vouched: CacheFile.Vouched) {
    let environment = AppStoreEnvironment(rawValue: vouched.environment)
    let key = chains.keys.first {
      $0.originalTransactionId == vouched.originalTransactionID
        && $0.scope.environment == environment
    }
    guard let key else { return }
    vouchers[key] = Voucher(
      at: Timestamp(millisecondsSince1970: vouched.atMs), isCurrent: false)
  }

  private static func transaction(_ jws: String) -> StoreTransaction {
    StoreTransaction(
      jws: jws, payload: SignedPayload.json(of: jws).flatMap(SignedPayload.transaction))
  }
}

extension Holdings {
  /// What is written for the next run.
  package func cached(at now: Timestamp) -> [UInt8] { cacheFile(at: now).bytes() }

  /// Takes in what an earlier run wrote.
  ///
  /// - Throws: ``CacheProblem`` when it is not what was written, or not for this app.
  package mutating func restore(cached bytes: [UInt8]) throws(CacheProblem) {
    try restore(CacheFile(bytes))
  }
}
