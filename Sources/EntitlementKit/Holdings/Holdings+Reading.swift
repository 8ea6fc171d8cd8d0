package import AppStoreModel
import EntitlementLedger

extension Holdings {
  /// Takes in one look at the store.
  ///
  /// Every verified copy in it counts. What is missing from it counts for nothing if the task was
  /// cancelled, and otherwise only after the same look was repeated.
  package mutating func accept(
    _ reading: Reading, at now: Timestamp
  ) -> (verdict: ReadingVerdict, takings: [Taking]) {
    settleOwner(by: reading)
    var takings = reading.transactions.map { take($0, from: .store) }
    takings += reading.statuses.map { take($0, from: .store) }
    clock.see(now)
    vouch(by: reading)
    guard !reading.isCancelled else { return (.discarded(.cancelled), takings) }
    noteDoubts(of: reading, at: now)
    let missing = contradicted(by: reading, at: now)
    if reading.attempt < ReadingVerdict.retryDelays.count {
      if !missing.isEmpty { return (.discarded(.contradicts), takings) }
      if !reading.isAlive { return (.discarded(.empty), takings) }
    }
    for key in missing { vouchers[key]?.isCurrent = false }
    storeState = reading.isAlive ? .live : .unavailable
    return (.accepted, takings)
  }

  /// Takes in a purchase, or what the listener was handed: the store vouches for it now.
  package mutating func takeAnnounced(_ item: StoreTransaction, at now: Timestamp) -> Taking {
    let taking = take(item, from: .store)
    clock.see(now)
    if case .setAside = taking { return taking }
    if let payload = item.payload, payload.revocationDate == nil { vouch(payload, at: now) }
    return taking
  }

  /// Takes in a state that was announced.
  package mutating func takeAnnounced(_ status: StoreStatus, at now: Timestamp) -> Taking {
    let taking = take(status, from: .store)
    clock.see(now)
    if case .setAside = taking { return taking }
    vouch(status, at: now)
    return taking
  }

  /// The chains that grant, that the store does not show any more, and that no evidence ends.
  private func contradicted(by reading: Reading, at now: Timestamp) -> [ChainKey] {
    vouchers.compactMap { key, voucher in
      guard voucher.isCurrent, voucher.at < reading.startedAt, grants(key, at: now) else {
        return nil
      }
      return key
    }
  }

  private func grants(_ key: ChainKey, at now: Timestamp) -> Bool {
    answer(of: key, at: clock.now(now))?.products.contains { $0.verdict == .granted } ?? false
  }

  private mutating func vouch(by reading: Reading) {
    for item in reading.listed + (reading.history ?? []) where item.failure == nil {
      guard let payload = item.payload, payload.revocationDate == nil else { continue }
      vouch(payload, at: reading.startedAt)
    }
    for status in reading.statuses { vouch(status, at: reading.startedAt) }
  }

  private mutating func vouch(_ status: StoreStatus, at moment: Timestamp) {
    guard status.state == .active || status.state == .billingGracePeriod,
      status.transaction.failure == nil, let payload = status.transaction.payload
    else { return }
    vouch(payload, at: moment)
  }

  private mutating func vouch(_ payload: JWSTransactionDecodedPayload, at moment: Timestamp) {
    guard let id = payload.transactionId, let key = copies[id]?.chain else { return }
    if let known = vouchers[key], known.isCurrent, known.at > moment { return }
    vouchers[key] = Voucher(at: moment, isCurrent: true)
  }

  private mutating func noteDoubts(of reading: Reading, at now: Timestamp) {
    let unverified = reading.listed.filter { $0.failure != nil }.compactMap(\.payload?.productId)
    let verified = reading.listed.filter { $0.failure == nil }.compactMap(\.payload?.productId)
    unverifiedProducts = Set(unverified).subtracting(verified)
    let moment = clock.now(now)
    listedWithoutState = []
    for item in reading.listed where item.failure == nil {
      guard let payload = item.payload, let group = payload.subscriptionGroupIdentifier,
        reading.silentGroups.contains(group), let end = payload.expiresDate, end <= moment,
        payload.revocationDate == nil, let id = payload.transactionId,
        let key = copies[id]?.chain
      else { continue }
      listedWithoutState.insert(key)
    }
  }
}
