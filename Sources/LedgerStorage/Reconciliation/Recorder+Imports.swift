package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// The import of a file, begun before or now: the same bytes go on where they stopped.
  package func beginImport(
    sha256: [UInt8], name: String, now: Timestamp
  ) throws(StoreError) -> Int64 {
    if let known = try session.number(Self.importID, [.bytes(sha256)]) { return known }
    return try session.insert(
      Self.insertImport, [.bytes(sha256), .text(name), .moment(now)])
  }

  /// Keeps lines of an import; those that are kept already stay as they are, and what was refused is
  /// tried again.
  package func addImportRows(
    _ rows: [ImportRow], to importID: Int64, now: Timestamp
  ) throws(StoreError) {
    for row in rows {
      try session.run(
        Self.insertRow,
        [
          .integer(importID), .integer(row.line), .text(row.transactionId),
          .text(row.customer), .text(row.bundleId),
          .text(row.problem == nil ? "waiting" : "refused"), .text(row.problem), .moment(now),
        ])
    }
  }

  /// Lines whose purchase is to be walked now, longest due first.
  package func dueImportRows(
    of bundleId: String, by now: Timestamp, limit: Int
  ) throws(StoreError) -> [WaitingImportRow] {
    try session.rows(
      Self.dueRows, [.text(bundleId), .moment(now), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in
      WaitingImportRow(
        id: try row.requiredInteger(0), importID: try row.requiredInteger(1),
        row: ImportRow(
          line: try row.requiredInteger(2), transactionId: try row.requiredText(3),
          customer: try row.requiredText(4), bundleId: bundleId),
        environment: row.text(5).map { AppStoreEnvironment(rawValue: $0) },
        revision: row.text(6), tries: try row.requiredInteger(7))
    }
  }

  package func nextImportDue(of bundleId: String) throws(StoreError) -> Timestamp? {
    try session.number(Self.nextRow, [.text(bundleId)])
      .map { Timestamp(millisecondsSince1970: $0) }
  }

  /// Keeps how far the walk of one purchase has come.
  package func advanceImportRow(
    _ id: Int64, environment: AppStoreEnvironment, revision: String?
  ) throws(StoreError) {
    try session.run(
      Self.advance, [.text(environment.rawValue), .text(revision), .integer(id)])
  }

  package func finishImportRow(_ id: Int64) throws(StoreError) {
    try session.run(Self.finish, [.integer(id)])
  }

  package func refuseImportRow(_ id: Int64, _ reason: String) throws(StoreError) {
    try session.run(Self.refuse, [.text(reason), .integer(id)])
  }

  /// Puts a line off because Apple gave no answer; `fromStart` where its page is known no more.
  package func putOffImportRow(
    _ id: Int64, until due: Timestamp, fromStart: Bool
  ) throws(StoreError) {
    try session.run(
      fromStart ? Self.putOffFromStart : Self.putOff, [.moment(due), .integer(id)])
  }

  /// The first line of the same import that names another customer for a chain, or for the Apple Account
  /// that it belongs to, and was taken.
  package func rival(
    of row: WaitingImportRow, about originalTransactionId: String, in scope: Scope
  ) throws(StoreError) -> Int64? {
    let key = ChainKey(scope: scope, originalTransactionId: originalTransactionId)
    guard let stored = try chains.find(key) else { return nil }
    return try session.number(
      Self.rivalLine,
      [
        .integer(stored.id), .text(stored.chain.ownershipClaim.appTransactionId),
        .integer(row.importID), .text(row.row.customer),
      ])
  }

  package func importProgress(_ importID: Int64) throws(StoreError) -> ImportProgress {
    var counts: [String: Int64] = [:]
    try session.forEach(Self.states, [.integer(importID)]) { (row) throws(StoreError) in
      counts[try row.requiredText(0)] = try row.requiredInteger(1)
      return true
    }
    return ImportProgress(
      rows: counts.values.reduce(0, +), done: counts["done"] ?? 0,
      refused: counts["refused"] ?? 0)
  }

  /// Lines that could not be used, in the order of the file.
  package func importProblems(
    _ importID: Int64, after line: Int64, limit: Int
  ) throws(StoreError) -> [(line: Int64, reason: String)] {
    try session.rows(
      Self.problems, [.integer(importID), .integer(line), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in (try row.requiredInteger(0), try row.requiredText(1)) }
  }

  private static let importID = SQLStatement("SELECT id FROM imports WHERE file_sha256 = ?")
  private static let insertImport = SQLStatement(
    "INSERT INTO imports (file_sha256, name, begun_at_ms) VALUES (?, ?, ?)")
  private static let insertRow = SQLStatement(
    """
    INSERT INTO import_rows (import_id, line, transaction_id, customer, bundle_id, state, reason,
      due_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (import_id, line) DO UPDATE SET
      state = excluded.state, reason = excluded.reason, due_at_ms = excluded.due_at_ms, tries = 0
      WHERE import_rows.state = 'refused'
    """)
  private static let dueRows = SQLStatement(
    """
    SELECT id, import_id, line, transaction_id, customer, environment, revision, tries
    FROM import_rows WHERE state = 'waiting' AND bundle_id = ? AND due_at_ms <= ?
    ORDER BY due_at_ms, id LIMIT ?
    """)
  private static let nextRow = SQLStatement(
    "SELECT min(due_at_ms) FROM import_rows WHERE state = 'waiting' AND bundle_id = ?")
  private static let rivalLine = SQLStatement(
    """
    SELECT min(import_rows.line) FROM transactions
    JOIN import_rows ON import_rows.transaction_id = transactions.transaction_id
    WHERE (transactions.chain_id = ? OR transactions.app_transaction_id = ?)
      AND import_rows.import_id = ? AND import_rows.customer <> ?
      AND import_rows.state <> 'refused'
    """)
  private static let advance = SQLStatement(
    "UPDATE import_rows SET environment = ?, revision = ?, tries = 0 WHERE id = ?")
  private static let finish = SQLStatement(
    "UPDATE import_rows SET state = 'done', revision = NULL WHERE id = ?")
  private static let refuse = SQLStatement(
    "UPDATE import_rows SET state = 'refused', reason = ?, revision = NULL WHERE id = ?")
  private static let putOff = SQLStatement(
    "UPDATE import_rows SET due_at_ms = ?, tries = tries + 1 WHERE id = ?")
  private static let putOffFromStart = SQLStatement(
    "UPDATE import_rows SET due_at_ms = ?, tries = tries + 1, revision = NULL WHERE id = ?")
  private static let states = SQLStatement(
    "SELECT state, count(*) FROM import_rows WHERE import_id = ? GROUP BY state")
  private static let problems = SQLStatement(
    """
    SELECT line, reason FROM import_rows
    WHERE import_id = ? AND state = 'refused' AND line > ? ORDER BY line LIMIT ?
    """)
}
