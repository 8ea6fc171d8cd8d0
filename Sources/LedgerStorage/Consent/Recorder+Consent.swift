import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Records that a customer agrees, or does not agree any more.
  ///
  /// - Returns: Whether it was otherwise before; saying it again writes nothing.
  package func record(_ consent: Consent, of customer: CustomerKey) throws(StoreError) -> Bool {
    let known = try self.consent(of: customer)
    if known?.isGiven == consent.isGiven { return false }
    let customerID = try customers.findOrMake(customer)
    try session.run(
      Self.upsertConsent,
      [
        .integer(customerID), .flag(consent.isGiven), .text(consent.recordedBy),
        .text(consent.note), .moment(consent.recordedAt),
      ])
    let fact = OwnFact(
      scope: customer.scope, recordedAt: consent.recordedAt, note: consent.note,
      statement: .consumptionConsent(
        customer: customer.id, isGiven: consent.isGiven, recordedBy: consent.recordedBy))
    let filing = FactTable.Filing(
      effect: .applied, scopeID: try chains.scopes.findOrMake(customer.scope),
      customerID: customerID, date: consent.recordedAt)
    _ = try facts.store(fact, filing)
    try cases.makeDue(ofCustomer: customerID, at: consent.recordedAt)
    return true
  }

  /// What was last recorded; `nil` where nobody recorded anything.
  package func consent(of customer: CustomerKey) throws(StoreError) -> Consent? {
    guard let row = try customers.find(customer) else { return nil }
    return try session.first(Self.consentOf, [.integer(row.id)]) { (row) throws(StoreError) in
      Consent(
        isGiven: row.flag(0), recordedBy: try row.requiredText(1), note: row.text(2),
        recordedAt: try row.requiredTimestamp(3))
    }
  }

  private static let upsertConsent = SQLStatement(
    """
    INSERT INTO consents (customer_id, is_given, recorded_by, note, stated_at_ms)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (customer_id) DO UPDATE SET is_given = excluded.is_given,
      recorded_by = excluded.recorded_by, note = excluded.note,
      stated_at_ms = excluded.stated_at_ms
    """)
  private static let consentOf = SQLStatement(
    "SELECT is_given, recorded_by, note, stated_at_ms FROM consents WHERE customer_id = ?")
}
