import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// An answer of the gate as it stands: denied after its time, and once anything that it rests on was
  /// taken back.
  func present(
    _ row: AuthorizationTable.Row, at now: Timestamp
  ) throws(StoreError) -> SpendAuthorization {
    var answer = row.authorization.lapsed(by: now)
    if answer.isAllowed { answer.withdrawal = try withdrawal(of: row, at: now) }
    return answer
  }

  /// Why anything that an answer rests on was taken back; `nil` while all of it stands.
  ///
  /// Where nothing is known that gave the right, what the customer has now decides.
  func withdrawal(
    of row: AuthorizationTable.Row, at now: Timestamp
  ) throws(StoreError) -> String? {
    for key in row.chains {
      guard let stored = try chains.find(key) else { continue }
      if let reason = withdrawal(of: row, by: stored, at: now) { return reason }
    }
    if let grantId = row.right?.grantId {
      let isStanding = try grants.find(grantId).map { $0.grant.grant.revokedAt == nil }
      return isStanding == true ? nil : DecisionReason.manualGrantEnded.rawValue
    }
    guard row.right == nil, let entitlement = row.authorization.entitlement else { return nil }
    let decision = try state(of: row.authorization.customer, on: entitlement, now: now)
      .decision(on: entitlement)
    return decision.endsSpending ? decision.reason.rawValue : nil
  }

  /// Why a chain, as it is now, no longer carries an answer that rests on it.
  func withdrawal(
    of row: AuthorizationTable.Row, by stored: StoredChain, at now: Timestamp
  ) -> String? {
    guard stored.customerID == row.customerID else { return HoldEnd.holdRevoked.rawValue }
    let named = row.transactions(of: stored.chain.key).sorted()
    for transactionId in named {
      if let reason = stored.chain.withdrawal(of: transactionId) { return reason.rawValue }
    }
    guard let right = row.right, right.key == stored.chain.key else { return nil }
    let reason = rules.answer(stored.chain, at: now).decisions
      .first { $0.entitlement == row.authorization.entitlement }?.reason
    // What a status says is of the whole chain; what a transaction shows, of that one.
    guard let reason, reason.isTakenBack,
      reason == .revokedByStatus || right.transactionId == nil
    else { return nil }
    return reason.rawValue
  }
}

extension Decision {
  /// Whether what was held on it may be spent no more: it was taken back, not merely over.
  var endsSpending: Bool {
    verdict == .denied && (reason.isTakenBack || reason == .manualGrantEnded)
  }
}
