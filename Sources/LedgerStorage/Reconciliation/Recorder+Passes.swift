package import AppStoreModel
package import EntitlementLedger

// A pass compares everything with Apple once. It is a row until it is done, so that a killed process
// is followed by one that goes on with it.
extension Recorder {
  /// When the pass that is not done was asked for.
  package func pass(in scope: Scope) throws(StoreError) -> Timestamp? {
    guard let scopeID = try chains.scopes.find(scope) else { return nil }
    return try session.number(Self.requestedAt, [.integer(scopeID)])
      .map { Timestamp(millisecondsSince1970: $0) }
  }

  /// Begins a pass, unless one is not done that was asked for after `earliest`.
  ///
  /// - Returns: When the pass was asked for that is under way now.
  package func beginPass(
    in scope: Scope, at requested: Timestamp, unlessSince earliest: Timestamp
  ) throws(StoreError) -> Timestamp {
    if let left = try pass(in: scope), left > earliest { return left }
    let scopeID = try chains.scopes.findOrMake(scope)
    try session.run(Self.begin, [.integer(scopeID), .moment(requested)])
    return requested
  }

  package func endPass(in scope: Scope) throws(StoreError) {
    guard let scopeID = try chains.scopes.find(scope) else { return }
    try session.run(Self.end, [.integer(scopeID)])
  }

  private static let requestedAt = SQLStatement(
    "SELECT requested_at_ms FROM passes WHERE scope_id = ?")
  private static let begin = SQLStatement(
    """
    INSERT INTO passes (scope_id, requested_at_ms) VALUES (?, ?)
    ON CONFLICT (scope_id) DO UPDATE SET requested_at_ms = excluded.requested_at_ms
    """)
  private static let end = SQLStatement("DELETE FROM passes WHERE scope_id = ?")
}
