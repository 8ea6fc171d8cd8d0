import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Computes anew what changed chains and the time touch of a customer's answer.
  ///
  /// Chains that neither changed nor turned are not read: what they claim is stored.
  func revise(
    _ customer: CustomerTable.Customer, _ changes: [ChainChange] = [], at now: Timestamp
  ) throws(StoreError) -> AnswerRevision {
    let readsAll = now < customer.claimsHoldSince ?? .distantFuture
    let readings = try readings(of: customer, changes, all: readsAll, at: now)
    let grants = try self.grants.all(of: customer).map(\.grant)
    let fresh =
      readings.flatMap { $0.answer?.decisions ?? [] } + grants.map { Decision($0, at: now) }
    var touched = Set(fresh.map(\.entitlement))
    for reading in readings { touched.formUnion(reading.claimsBefore.map(\.entitlement)) }
    let before =
      readsAll
      ? try customers.decisions(of: customer) : try decisions(on: touched, of: customer)
    let others = try standing(
      touched.union(before.map(\.entitlement)), of: customer, beside: readings, before, at: now)
    return AnswerRevision(
      isWhole: readsAll, readings: readings, before: before,
      after: Decision.best(of: fresh + others),
      nextChange: try nextChange(of: customer, readings, grants, at: now),
      claimsHoldSince: Self.holdSince(readings, readsAll ? nil : customer.claimsHoldSince))
  }

  private func readings(
    of customer: CustomerTable.Customer, _ changes: [ChainChange], all readsAll: Bool,
    at now: Timestamp
  ) throws(StoreError) -> [AnswerRevision.Reading] {
    var seen = Set<Int64>()
    var readings: [AnswerRevision.Reading] = []
    for change in changes where change.owners.contains(customer.id) {
      seen.insert(change.after.id)
      readings.append(try reading(change.after, for: customer, at: now))
    }
    let ids =
      readsAll
      ? try chains.ids(ofCustomer: customer.id)
      : try chains.turned(ofCustomer: customer.id, by: now)
    for id in ids where !seen.contains(id) {
      guard let stored = try chains.find(id: id) else { continue }
      readings.append(try reading(stored, for: customer, at: now))
    }
    return readings
  }

  private func reading(
    _ stored: StoredChain, for customer: CustomerTable.Customer, at now: Timestamp
  ) throws(StoreError) -> AnswerRevision.Reading {
    AnswerRevision.Reading(
      stored: stored,
      answer: stored.customerID == customer.id ? rules.answer(stored.chain, at: now) : nil,
      claimsBefore: try claims.claims(ofChain: stored.id, for: customer.id))
  }

  private func decisions(
    on entitlements: Set<String>, of customer: CustomerTable.Customer
  ) throws(StoreError) -> [Decision] {
    var found: [Decision] = []
    for name in entitlements.sorted() {
      if let told = try customers.decision(on: name, of: customer) { found.append(told) }
    }
    return found
  }

  /// What the chains that were not read say of some entitlements, the strongest of each.
  private func standing(
    _ entitlements: Set<String>, of customer: CustomerTable.Customer,
    beside readings: [AnswerRevision.Reading], _ before: [Decision], at now: Timestamp
  ) throws(StoreError) -> [Decision] {
    let read = Set(readings.map(\.stored.id))
    var found: [Decision] = []
    for name in entitlements {
      guard let claim = try claims.strongest(name, of: customer.id, excluding: read) else {
        continue
      }
      if let told = before.first(where: { $0.entitlement == name }), claim.isStated(by: told) {
        found.append(told)
      } else if let decision = try decision(of: claim, at: now) {
        found.append(decision)
      }
    }
    return found
  }

  /// The decision behind a claim, from its chain.
  private func decision(of claim: Claim, at now: Timestamp) throws(StoreError) -> Decision? {
    guard let stored = try chains.find(id: claim.chainID) else { return nil }
    return rules.answer(stored.chain, at: now).decisions.first {
      $0.entitlement == claim.entitlement
    }
  }

  private func nextChange(
    of customer: CustomerTable.Customer, _ readings: [AnswerRevision.Reading],
    _ grants: [ManualGrant], at now: Timestamp
  ) throws(StoreError) -> Timestamp? {
    let unread = try chains.nextChange(
      ofCustomer: customer.id, excluding: Set(readings.map(\.stored.id)))
    let moments = readings.compactMap { $0.answer?.nextChange } + grants.flatMap(\.turningPoints)
    return (moments + [unread].compactMap { $0 }).filter { $0 > now }.min()
  }

  private static func holdSince(
    _ readings: [AnswerRevision.Reading], _ others: Timestamp?
  ) -> Timestamp {
    (readings.compactMap { $0.answer?.holdsSince } + [others ?? .distantPast]).max()
      ?? .distantPast
  }

  /// Keeps what the chains that were read claim, and until when.
  func write(
    _ revision: AnswerRevision, of customer: CustomerTable.Customer
  ) throws(StoreError) {
    for reading in revision.readings {
      if let answer = reading.answer { try chains.write(answer, of: reading.stored) }
      try claims.replace(reading.claimsBefore, by: reading.claims, for: customer.id)
    }
  }
}

extension Claim {
  /// Whether a decision is the one that the chain of this claim leads to.
  fileprivate func isStated(by decision: Decision) -> Bool {
    decision.evidence.chain?.originalTransactionId == originalTransactionId
      && decision.strength == strength
  }
}
