import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Ends the open holds of entitlements that a customer no longer has.
  func closeHolds(
    of customer: CustomerTable.Customer, _ decisions: [Decision], _ cause: Cause
  ) throws(StoreError) {
    let denied = Set(decisions.filter { $0.verdict == .denied }.map(\.entitlement))
    for hold in try authorizations.open(ofCustomer: customer.id) {
      guard let entitlement = hold.authorization.entitlement,
        denied.contains(entitlement)
      else { continue }
      try authorizations.end(hold.id, as: .revoked, at: cause.now)
    }
  }

  /// Ends the holds whose time is over.
  ///
  /// - Returns: How many there were.
  func lapseHolds(at now: Timestamp, limit: Int) throws(StoreError) -> Int {
    let over = try authorizations.lapsed(by: now, limit: limit)
    for hold in over { try authorizations.end(hold.id, as: .lapsed, at: now) }
    return over.count
  }
}
