import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Ends the open holds of entitlements that a customer no longer has.
  func closeHolds(
    of customer: CustomerTable.Customer, _ answer: CustomerAnswer
  ) throws(StoreError) {
    let open = try session.rows(Self.openHolds, [.integer(customer.id)]) {
      (row) throws(StoreError) in (try row.requiredInteger(0), try row.requiredText(1))
    }
    for (id, entitlement) in open where answer.decision(on: entitlement).verdict == .denied {
      try session.run(Self.revokeHold, [.integer(id)])
    }
  }

  private static let openHolds = SQLStatement(
    """
    SELECT id, entitlement FROM spend_authorizations WHERE customer_id = ? AND state = 'open'
    """)
  private static let revokeHold = SQLStatement(
    "UPDATE spend_authorizations SET state = 'revoked' WHERE id = ?")
}
