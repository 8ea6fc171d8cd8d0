package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// How far a customer's refund history was read.
  package func refundRevision(
    of askedId: String, in scope: Scope
  ) throws(StoreError) -> (revision: String?, askedAt: Timestamp)? {
    guard let scopeID = try chains.scopes.find(scope) else { return nil }
    return try session.first(Self.revision, [.integer(scopeID), .text(askedId)]) {
      (row) throws(StoreError) in (row.text(0), try row.requiredTimestamp(1))
    }
  }

  package func saveRefundRevision(
    _ revision: String?, of askedId: String, in scope: Scope, at now: Timestamp
  ) throws(StoreError) {
    let scopeID = try chains.scopes.findOrMake(scope)
    try session.run(
      Self.saveRevision,
      [.integer(scopeID), .text(askedId), .text(revision), .moment(now)])
  }

  private static let revision = SQLStatement(
    "SELECT revision, asked_at_ms FROM refund_revisions WHERE scope_id = ? AND asked_id = ?")
  private static let saveRevision = SQLStatement(
    """
    INSERT INTO refund_revisions (scope_id, asked_id, revision, asked_at_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope_id, asked_id) DO UPDATE SET
      revision = excluded.revision, asked_at_ms = excluded.asked_at_ms
    """)
}
