import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// How far a round has come; a new one where none was ever begun.
  package func walk(_ kind: Walk.Kind, in scope: Scope) throws(StoreError) -> Walk {
    var walk = Walk(scope: scope, kind: kind)
    guard let scopeID = try chains.scopes.find(scope) else { return walk }
    try session.forEach(Self.walkRow, [.integer(scopeID), .text(kind.rawValue)]) {
      (row) throws(StoreError) in
      if let begunAt = row.timestamp(0) {
        var leg = Walk.Leg(begunAt: begunAt, from: row.timestamp(1), until: row.timestamp(2))
        leg.page = row.text(3)
        leg.place = try row.requiredInteger(4)
        leg.steps = try row.requiredInteger(5)
        walk.underway = leg
      }
      walk.coveredFrom = row.timestamp(6)
      walk.coveredUntil = row.timestamp(7)
      walk.lastBegunAt = row.timestamp(8)
      walk.lastFinishedAt = row.timestamp(9)
      walk.lastSteps = row.integer(10)
      return false
    }
    return walk
  }

  /// Keeps how far a round has come, with whatever else is written in the same step.
  package func save(_ walk: Walk) throws(StoreError) {
    let scopeID = try chains.scopes.findOrMake(walk.scope)
    let leg = walk.underway
    try session.run(
      Self.upsertWalk,
      [
        .integer(scopeID), .text(walk.kind.rawValue), .moment(leg?.begunAt), .moment(leg?.from),
        .moment(leg?.until), .text(leg?.page), .integer(leg?.place ?? 0),
        .integer(leg?.steps ?? 0), .moment(walk.coveredFrom), .moment(walk.coveredUntil),
        .moment(walk.lastBegunAt), .moment(walk.lastFinishedAt), .integer(walk.lastSteps),
      ])
  }

  private static let columns = """
    begun_at_ms, from_ms, until_ms, page, place, steps, covered_from_ms, covered_until_ms,
    last_begun_at_ms, last_finished_at_ms, last_steps
    """
  private static let walkRow = SQLStatement(
    "SELECT \(columns) FROM walks WHERE scope_id = ? AND kind = ?")
  private static let upsertWalk = SQLStatement(
    """
    INSERT INTO walks (scope_id, kind, \(columns))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope_id, kind) DO UPDATE SET begun_at_ms = excluded.begun_at_ms,
      from_ms = excluded.from_ms, until_ms = excluded.until_ms, page = excluded.page,
      place = excluded.place, steps = excluded.steps, covered_from_ms = excluded.covered_from_ms,
      covered_until_ms = excluded.covered_until_ms, last_begun_at_ms = excluded.last_begun_at_ms,
      last_finished_at_ms = excluded.last_finished_at_ms, last_steps = excluded.last_steps
    """)
}
