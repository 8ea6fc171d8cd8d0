package import EntitlementLedger
package import LedgerReports
package import AppStoreModel

extension Recorder {
  /// Every refund of an app's chains after `chainID`, of at most `limit` chains, with what was spent.
  ///
  /// - Returns: The refunds, and the chain to go on after; `nil` at the end.
  package func lateSpend(
    in scope: Scope, afterChain chainID: Int64, limit: Int
  ) throws(StoreError) -> (refunds: [LateRefund], next: Int64?) {
    let heardOf = try heardOf(scope)
    return try moneyChains(in: scope, after: chainID, limit: limit) {
      (stored, owner)
        throws(StoreError) in
      let answers = stored.chain.revocationAnswers()
      let sightings = try sightings(ofChain: stored.id)
      let signalled = stored.chain.signalledRefunds()
      return try stored.chain.refundEntries().map { (refund) throws(StoreError) in
        let sighted = SightedRefund(
          refundedAt: refund.key.revocationDate, sightings: sightings[refund.key] ?? [],
          appHeardOfAt: heardOf)
        let reversedAt = answers.first { $0.key == refund.key }?.reversedAt
        let moments = [
          refund.key.revocationDate, sighted.first?.receivedAt, reversedAt,
        ].compactMap { $0 }
        return LateRefund(
          listed: ListedRefund(chain: stored.chain.key, customer: owner, refund: refund),
          signalled: signalled[refund.key], reversedAt: reversedAt, sighted: sighted,
          spend: LateSpend(
            spends: try spends(
              on: refund.key.transactionId, ofChain: stored.id, dividedAt: moments),
            holds: try stoppedHolds(on: refund.key.transactionId, ofChain: stored.id),
            refundedAt: refund.key.revocationDate, firstSeenAt: sighted.first?.receivedAt,
            reversedAt: reversedAt))
      }
    }
  }

  /// Every refund of an app's chains after `chainID` with who knew of it when.
  package func sightedRefunds(
    in scope: Scope, afterChain chainID: Int64, limit: Int
  ) throws(StoreError) -> (refunds: [SightedRefund], next: Int64?) {
    let heardOf = try heardOf(scope)
    return try moneyChains(in: scope, after: chainID, limit: limit) {
      (stored, _)
        throws(StoreError) in
      let sightings = try sightings(ofChain: stored.id)
      return stored.chain.refundEntries().map { refund in
        SightedRefund(
          refundedAt: refund.key.revocationDate, sightings: sightings[refund.key] ?? [],
          appHeardOfAt: heardOf)
      }
    }
  }

  /// When this ledger first heard of an app in an environment; `nil` where it never did.
  package func heardOf(_ scope: Scope) throws(StoreError) -> Timestamp? {
    guard let scopeID = try chains.scopes.find(scope),
      let first = try session.number(Self.firstChain, [.integer(scopeID)])
    else { return nil }
    return try session.first(Self.firstHeard, [.integer(first)]) { $0.timestamp(0) } ?? nil
  }

  private func sightings(
    ofChain id: Int64
  ) throws(StoreError) -> [RevocationKey: [RefundSighting]] {
    var found: [RevocationKey: [RefundSighting]] = [:]
    try session.forEach(Self.sightingsOf, [.integer(id)]) { (row) throws(StoreError) in
      guard let channel = Channel(rawValue: try row.requiredText(2)) else { return true }
      let key = RevocationKey(
        transactionId: try row.requiredText(0), revocationDate: try row.requiredTimestamp(1))
      found[key, default: []].append(
        RefundSighting(
          channel: channel, receivedAt: try row.requiredTimestamp(3),
          signedAt: try row.requiredTimestamp(4)))
      return true
    }
    return found
  }

  private func spends(
    on transactionId: String, ofChain id: Int64, dividedAt moments: [Timestamp]
  ) throws(StoreError) -> [Spend] {
    try session.rows(Self.spendsOn, [.integer(id), .text(transactionId)]) {
      (row) throws(StoreError) in
      let spend = Spend(amount: try Self.amount(row), at: try row.requiredTimestamp(2))
      guard let period = row.integer(4) else { return [spend] }
      return spend.divided(
        into: try row.requiredInteger(3), each: TimeSpan(milliseconds: period), at: moments)
    }.flatMap(\.self)
  }

  private func stoppedHolds(
    on transactionId: String, ofChain id: Int64
  ) throws(StoreError) -> [StoppedHold] {
    try session.rows(Self.stoppedHoldsOn, [.integer(id), .text(transactionId)]) {
      (row) throws(StoreError) in
      StoppedHold(
        amount: try Self.amount(row), decidedAt: try row.requiredTimestamp(2),
        endedAt: try row.requiredTimestamp(3))
    }
  }

  private static func amount(_ row: any SQLRow) throws(StoreError) -> SpentAmount {
    SpentAmount(
      microunits: try row.requiredInteger(0), currency: Currency(code: try row.requiredText(1)))
  }

  private static let firstChain = SQLStatement(
    "SELECT id FROM chains WHERE scope_id = ? ORDER BY id LIMIT 1")
  private static let firstHeard = SQLStatement(
    """
    SELECT min(sightings.received_at_ms)
    FROM facts JOIN sightings ON sightings.fact_id = facts.id WHERE facts.chain_id = ?
    """)
  private static let sightingsOf = SQLStatement(
    """
    SELECT transaction_id, revoked_at_ms, channel, first_received_at_ms, first_signed_at_ms
    FROM revocation_sightings WHERE chain_id = ?
    """)
  private static let spendsOn = SQLStatement(
    """
    SELECT spend_charges.cost_microunits, spends.currency, spends.spent_at_ms, spends.periods,
      spends.period_ms
    FROM spend_charges JOIN spends ON spends.id = spend_charges.spend_id
    WHERE spend_charges.chain_id = ? AND spend_charges.transaction_id = ?
    """)
  private static let stoppedHoldsOn = SQLStatement(
    """
    SELECT cost_microunits, currency, decided_at_ms, ended_at_ms
    FROM authorizations WHERE chain_id = ? AND transaction_id = ? AND state = 'revoked'
    """)
}
