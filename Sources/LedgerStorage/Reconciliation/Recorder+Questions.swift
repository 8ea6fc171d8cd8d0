package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Notes that Apple is to be asked; what is more urgent already stays so.
  func note(_ concern: ChainConcern, chainID: Int64, scopeID: Int64) throws(StoreError) {
    try session.run(
      Self.noteQuestion, [.integer(chainID)] + values(of: concern, scopeID: scopeID))
  }

  /// Notes what a changed chain calls for, and with a revocation or reversal its family's.
  func noteConcern(
    of change: ChainChange, isDoubtful: Bool, at now: Timestamp
  ) throws(StoreError) {
    let (before, after) = (change.before, change.after.chain)
    let concern = ChainConcern(from: before, to: after, isDoubtful: isDoubtful, at: now)
    if let concern {
      try note(concern, chainID: change.after.id, scopeID: change.after.scopeID)
    }
    guard after.revocations.count != before.revocations.count || after.reversals != before.reversals
    else { return }
    try noteFamily(of: change, at: now)
  }

  /// Puts the shares of a product whose purchase was revoked or given back on the list.
  ///
  /// No payload names the family of a share: those of the same product whose period ends nearest
  /// are asked about, fifty of them.
  private func noteFamily(of change: ChainChange, at now: Timestamp) throws(StoreError) {
    let chain = change.after.chain
    let touched = Set(chain.revocations.keys.map(\.transactionId))
      .union(chain.reversals.keys)
    let copies = touched.compactMap { chain.transactions[$0]?.newest }
    guard let copy = copies.max(by: { $0.purchaseDate < $1.purchaseDate }) else { return }
    let near = copy.expiresDate ?? copy.purchaseDate
    let side: [SQLValue] = [
      .moment(near), .text(copy.productId), .moment(near), .integer(change.after.scopeID),
      .integer(change.after.id),
    ]
    let concern = ChainConcern(rank: .familyMember, due: now.adding(ChainConcern.lag))
    try session.run(
      Self.noteShares,
      values(of: concern, scopeID: change.after.scopeID) + side + side)
  }

  private func values(of concern: ChainConcern, scopeID: Int64) -> [SQLValue] {
    [
      .integer(scopeID), .integer(concern.rank.rawValue), .moment(concern.due),
      .moment(concern.due.adding(ChainConcern.lag)),
    ]
  }

  /// What is due by a moment, the most urgent and longest due first.
  package func dueQuestions(
    in scope: Scope, by now: Timestamp, limit: Int
  ) throws(StoreError) -> [ChainQuestion] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    var found: [ChainQuestion] = []
    for rank in QuestionRank.allCases where found.count < limit {
      let left = Int64(limit - found.count)
      found += try session.rows(
        Self.due, [.integer(scopeID), .integer(rank.rawValue), .moment(now), .integer(left)]
      ) { (row) throws(StoreError) in
        ChainQuestion(
          chainID: try row.requiredInteger(0), rank: rank, due: try row.requiredTimestamp(1),
          tries: try row.requiredInteger(2))
      }
    }
    return found
  }

  /// When something is due next; in the past where something is due already.
  package func nextQuestionDue(in scope: Scope) throws(StoreError) -> Timestamp? {
    guard let scopeID = try chains.scopes.find(scope) else { return nil }
    var earliest: Timestamp?
    for rank in QuestionRank.allCases {
      let due = try session.number(Self.nextDue, [.integer(scopeID), .integer(rank.rawValue)])
        .map { Timestamp(millisecondsSince1970: $0) }
      earliest = [earliest, due].compactMap { $0 }.min()
    }
    return earliest
  }

  /// Keeps what came of asking about a chain, and when it is asked about again: without a concern
  /// that is left to the general round.
  package func settleQuestion(
    _ chainID: Int64, _ concern: ChainConcern?, _ outcome: ChainQuestion.Outcome, tries: Int64,
    at now: Timestamp
  ) throws(StoreError) {
    guard let concern else {
      try session.run(Self.dropQuestion, [.integer(chainID)])
      return
    }
    try session.run(
      Self.settle,
      [
        .integer(chainID), .integer(concern.rank.rawValue), .moment(concern.due), .moment(now),
        .integer(tries), .text(outcome.rawValue), .integer(chainID),
      ])
  }

  /// Chains of an app and environment in the order of their rows.
  package func chainIDs(
    in scope: Scope, after place: Int64, limit: Int
  ) throws(StoreError) -> [Int64] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try session.rows(
      Self.chainsAfter, [.integer(scopeID), .integer(place), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
  }

  private static let noteQuestion = SQLStatement(
    """
    INSERT INTO chain_questions (chain_id, scope_id, rank, due_at_ms, again_at_ms)
    VALUES (?, ?, ?, ?, ?)
    \(urgency)
    """)
  private static let noteShares = SQLStatement(
    """
    INSERT INTO chain_questions (scope_id, rank, due_at_ms, again_at_ms, chain_id)
    SELECT ?, ?, ?, ?, chain_id FROM (
      SELECT DISTINCT chain_id FROM (
        SELECT chain_id FROM (
          SELECT * FROM (\(shares("<=", "DESC"))) AS earlier
          UNION ALL
          SELECT * FROM (\(shares(">", "ASC"))) AS later) AS both_sides
        ORDER BY distance LIMIT 50) AS nearest) AS shares
    WHERE true
    \(urgency)
    """)
  /// Fifty shares of a product from a moment on, walking its index one way.
  private static func shares(_ side: String, _ direction: String) -> String {
    """
    SELECT transactions.chain_id AS chain_id,
      abs(coalesce(transactions.expires_at_ms, transactions.purchased_at_ms) - ?) AS distance
    FROM transactions JOIN chains ON chains.id = transactions.chain_id
    WHERE transactions.product_id = ? AND transactions.ownership = 'FAMILY_SHARED'
      AND coalesce(transactions.expires_at_ms, transactions.purchased_at_ms) \(side) ?
      AND chains.scope_id = ? AND chains.id <> ?
    ORDER BY coalesce(transactions.expires_at_ms, transactions.purchased_at_ms) \(direction)
    LIMIT 50
    """
  }
  /// The more urgent reason to ask wins, and of two alike the earlier moment.
  private static let urgency = """
    ON CONFLICT (chain_id) DO UPDATE SET
      rank = CASE WHEN excluded.rank < chain_questions.rank THEN excluded.rank
        ELSE chain_questions.rank END,
      tries = CASE WHEN excluded.rank < chain_questions.rank THEN 0
        ELSE chain_questions.tries END,
      due_at_ms = CASE
        WHEN excluded.rank < chain_questions.rank THEN excluded.due_at_ms
        WHEN excluded.rank = chain_questions.rank
          AND excluded.again_at_ms < chain_questions.due_at_ms THEN excluded.again_at_ms
        WHEN excluded.rank > chain_questions.rank
          AND excluded.due_at_ms < chain_questions.due_at_ms THEN excluded.due_at_ms
        ELSE chain_questions.due_at_ms END
    """
  private static let due = SQLStatement(
    """
    SELECT chain_id, due_at_ms, tries FROM chain_questions
    WHERE scope_id = ? AND rank = ? AND due_at_ms <= ? ORDER BY due_at_ms LIMIT ?
    """)
  private static let nextDue = SQLStatement(
    "SELECT min(due_at_ms) FROM chain_questions WHERE scope_id = ? AND rank = ?")
  private static let dropQuestion = SQLStatement("DELETE FROM chain_questions WHERE chain_id = ?")
  private static let settle = SQLStatement(
    """
    INSERT INTO chain_questions
      (chain_id, rank, due_at_ms, asked_at_ms, tries, outcome, scope_id)
    SELECT ?, ?, ?, ?, ?, ?, scope_id FROM chains WHERE id = ?
    ON CONFLICT (chain_id) DO UPDATE SET rank = excluded.rank, due_at_ms = excluded.due_at_ms,
      asked_at_ms = excluded.asked_at_ms, tries = excluded.tries, outcome = excluded.outcome
    """)
  private static let chainsAfter = SQLStatement(
    "SELECT id FROM chains WHERE scope_id = ? AND id > ? ORDER BY id LIMIT ?")
}
