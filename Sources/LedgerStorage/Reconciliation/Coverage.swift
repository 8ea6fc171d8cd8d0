package import AppStoreModel
package import EntitlementLedger

/// How much of what we know was compared with Apple, in one app and environment.
package struct Coverage: Hashable, Sendable {
  /// Chains that wait to be asked about for one reason.
  package struct Waiting: Hashable, Sendable {
    package let rank: QuestionRank
    package let chains: Int64
    package let due: Int64
    /// When the one that waits longest fell due.
    package let earliestDue: Timestamp?
    /// Of them, those that Apple could not be asked about the last time, and those it did not know.
    package let failed: Int64
    package let notFound: Int64
  }

  package let scope: Scope
  package let asOf: Timestamp
  package let chains: Int64
  /// Chains of which Apple's API gave us a copy.
  package let chainsWithAPICopy: Int64
  package let gaps: Int64
  /// Customers whose refund history was read.
  package let refundHistories: Int64
  package let waiting: [Waiting]
  package let walks: [Walk]
  /// By id; of those in the catalog that nobody is known to have bought too.
  package let products: [SignalledProduct]
  /// Of the round that is under way, the chains that it has passed.
  package let passed: Int64
}

extension Recorder {
  /// How many chains a round has still to come to.
  package func chainCount(in scope: Scope, after place: Int64) throws(StoreError) -> Int64 {
    guard let scopeID = try chains.scopes.find(scope) else { return 0 }
    let all = try session.number(Self.chainCount, [.integer(scopeID)]) ?? 0
    let passed = try session.number(Self.passedCount, [.integer(scopeID), .integer(place)]) ?? 0
    return all - passed
  }

  /// How many chains are due on the list.
  package func dueQuestionCount(in scope: Scope, by now: Timestamp) throws(StoreError) -> Int64 {
    guard let scopeID = try chains.scopes.find(scope) else { return 0 }
    return try waiting(scopeID, now).map(\.due).reduce(0, +)
  }

  package func coverage(
    of scope: Scope, catalog: [String] = [], at now: Timestamp
  ) throws(StoreError) -> Coverage {
    let scopeID = try chains.scopes.find(scope) ?? -1
    let walks = try Walk.Kind.allCases.map { (kind) throws(StoreError) in
      try walk(kind, in: scope)
    }
    let place = walks.first { $0.kind == .rest }?.underway?.place ?? 0
    return Coverage(
      scope: scope, asOf: now,
      chains: try session.number(Self.chainCount, [.integer(scopeID)]) ?? 0,
      chainsWithAPICopy: try session.number(Self.copyCount, [.integer(scopeID)]) ?? 0,
      gaps: try session.number(Self.gapCount, [.integer(scopeID)]) ?? 0,
      refundHistories: try session.number(Self.revisionCount, [.integer(scopeID)]) ?? 0,
      waiting: try waiting(scopeID, now), walks: walks,
      products: try signalledProducts(scopeID, catalog),
      passed: try session.number(Self.passedCount, [.integer(scopeID), .integer(place)]) ?? 0)
  }

  private func waiting(
    _ scopeID: Int64, _ now: Timestamp
  ) throws(StoreError) -> [Coverage.Waiting] {
    try session.rows(Self.waitingRows, [.moment(now), .integer(scopeID)]) {
      (row) throws(StoreError) in
      guard let rank = QuestionRank(rawValue: try row.requiredInteger(0)) else {
        throw .inconsistent(detail: "a question of unknown rank")
      }
      return Coverage.Waiting(
        rank: rank, chains: try row.requiredInteger(1), due: try row.requiredInteger(2),
        earliestDue: row.timestamp(3), failed: try row.requiredInteger(4),
        notFound: try row.requiredInteger(5))
    }
  }

  private static let chainCount = SQLStatement("SELECT count(*) FROM chains WHERE scope_id = ?")
  private static let passedCount = SQLStatement(
    "SELECT count(*) FROM chains WHERE scope_id = ? AND id <= ?")
  private static let copyCount = SQLStatement(
    """
    SELECT count(DISTINCT api_copies.chain_id)
    FROM api_copies JOIN chains ON chains.id = api_copies.chain_id WHERE chains.scope_id = ?
    """)
  private static let gapCount = SQLStatement(
    "SELECT count(*) FROM notification_gaps WHERE scope_id = ?")
  private static let revisionCount = SQLStatement(
    "SELECT count(*) FROM refund_revisions WHERE scope_id = ?")
  private static let waitingRows = SQLStatement(
    """
    SELECT rank, count(*), sum(CASE WHEN due_at_ms <= ? THEN 1 ELSE 0 END), min(due_at_ms),
      sum(CASE WHEN outcome = 'failed' THEN 1 ELSE 0 END),
      sum(CASE WHEN outcome = 'notFound' THEN 1 ELSE 0 END)
    FROM chain_questions WHERE scope_id = ? GROUP BY rank ORDER BY rank
    """)
}
