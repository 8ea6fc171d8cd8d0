import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Ends the open holds of entitlements that a customer no longer has.
  func closeHolds(
    of customer: CustomerTable.Customer, _ answer: CustomerAnswer, _ cause: Cause
  ) throws(StoreError) {
    for hold in try authorizations.open(ofCustomer: customer.id) {
      guard let entitlement = hold.authorization.entitlement,
        answer.decision(on: entitlement).verdict == .denied
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
