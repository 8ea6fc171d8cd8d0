import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Revokes open holds that rest on what was taken back, or to what is another customer's.
  ///
  /// - Returns: The positions of the events, in order.
  func revokeHolds(_ change: ChainChange, _ cause: Cause) throws(StoreError) -> [Int64] {
    let chain = change.after.chain
    let isMoved = change.ownerBefore != change.after.customerID
    guard
      isMoved || !chain.revocations.isEmpty || !chain.undatedRevocations.isEmpty
        || chain.statuses.values.contains(where: { $0.status == .revoked })
    else { return [] }
    var events: [Int64] = []
    for hold in try authorizations.open(onChain: change.after.id) {
      guard isMoved || withdrawal(of: hold, by: change.after, at: cause.now) != nil else {
        continue
      }
      events += try end(hold, as: .revoked, cause, paysDebts: false)
    }
    return events
  }

  /// Revokes open holds of entitlements that were taken back from a customer, and stops what costs
  /// without end.
  ///
  /// What expires, or has yet to be renewed, was paid for: such holds go on until they lapse.
  ///
  /// - Returns: The positions of the events, in order.
  func closeSpending(
    of customer: CustomerTable.Customer, _ changed: [Decision], _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    var events: [Int64] = []
    for hold in try authorizations.open(ofCustomer: customer.id) {
      guard
        let decision = changed.first(where: { $0.entitlement == hold.authorization.entitlement }),
        decision.endsSpending
      else { continue }
      events += try end(hold, as: .revoked, cause)
    }
    for decision in changed {
      let basis = RunningCost.Basis.entitlement(decision.entitlement)
      if decision.verdict == .denied, decision.reason.isTakenBack {
        events += try revokeCosts(of: customer.id, cause) { $0 == basis }
      } else if decision.verdict == .granted {
        events += try unflagCosts(of: customer.id, cause) { $0 == basis }
      }
    }
    return events
  }

  /// Revokes open holds that rest on a grant by hand, whatever else gives the right.
  func revokeHolds(
    ofCustomer customerID: Int64, onGrant id: String, _ cause: Cause
  ) throws(StoreError) {
    for hold in try authorizations.open(ofCustomer: customerID) where hold.right?.grantId == id {
      _ = try end(hold, as: .revoked, cause)
    }
  }

  /// Ends the holds whose time is over.
  ///
  /// - Returns: How many there were, and the positions of the events.
  func lapseHolds(
    at now: Timestamp, limit: Int
  ) throws(StoreError) -> (count: Int, events: [Int64]) {
    let over = try authorizations.lapsed(by: now, limit: limit)
    var events: [Int64] = []
    for hold in over { events += try end(hold, as: .lapsed, Cause(factID: nil, now: now)) }
    return (over.count, events)
  }

  /// Ends an open hold, gives its credits back, and tells its holder unless the holder did it.
  ///
  /// - Returns: The positions of the events, in order.
  func end(
    _ hold: AuthorizationTable.Row, as state: SpendAuthorization.State, _ cause: Cause,
    paysDebts: Bool = true
  ) throws(StoreError) -> [Int64] {
    var events = try giveBackCredits(of: hold, cause, paysDebts: paysDebts)
    try authorizations.end(hold.id, as: state, at: cause.now)
    guard state == .revoked || state == .lapsed else { return events }
    let ended = try authorizations.again(hold).authorization
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("hold")
      writer.authorization(ended)
    }
    events.append(
      try self.events.append(
        type: state == .revoked ? .holdRevoked : .holdLapsed, payload: writer.bytes,
        customerID: hold.customerID, scopeID: hold.scopeID,
        version: try nextVersion(of: hold.customerID), cause))
    return events
  }

  private func giveBackCredits(
    of hold: AuthorizationTable.Row, _ cause: Cause, paysDebts: Bool
  ) throws(StoreError) -> [Int64] {
    guard let unit = hold.authorization.purpose.credits?.unit,
      !hold.authorization.draws.isEmpty
    else { return [] }
    var kept = try open(unit, of: hold.customerID)
    kept.book.release(try lots.draws(of: hold.id), paysDebts: paysDebts)
    return try close(kept, cause)
  }
}
