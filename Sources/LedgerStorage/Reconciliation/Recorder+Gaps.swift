package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Takes a page of Apple's notification history: what was missed is stored, and kept as a gap.
  ///
  /// - Returns: How many were gaps that nobody knew of.
  package func takeHistory(
    _ items: [HistoryItem], in scope: Scope, at now: Timestamp
  ) throws(StoreError) -> Int {
    let installedAt = try installedAt()
    var gaps = 0
    for item in items where try take(item, in: scope, installedAt, at: now) { gaps += 1 }
    return gaps
  }

  private func take(
    _ item: HistoryItem, in scope: Scope, _ installedAt: Timestamp, at now: Timestamp
  ) throws(StoreError) -> Bool {
    let wasKnown = try isStored(item, in: scope)
    let isQuarantined = try session.number(Self.inQuarantine, [.bytes(item.textSHA256)]) != nil
    let factID = try item.delivery.map { (delivery) throws(StoreError) in
      try record(delivery).factID
    }
    if let refusal = item.refusal { _ = try quarantine(refusal) }
    guard !wasKnown else { return false }
    let reason = GapReason(
      attempts: item.attempts, signedDate: item.signedDate,
      isQuarantined: isQuarantined || item.refusal != nil, installedAt: installedAt)
    return try keep(item, reason, factID, in: scope, at: now)
  }

  /// Whether a notification is stored already, in these bytes or signed anew.
  private func isStored(_ item: HistoryItem, in scope: Scope) throws(StoreError) -> Bool {
    if let delivery = item.delivery, try facts.find(sha256: delivery.body.sha256) != nil {
      return true
    }
    let ids = try candidates(item, in: scope)
    for id in ids {
      let payload = try session.first(Self.payload, [.integer(id)]) { $0.bytes(0) } ?? nil
      let known = payload.flatMap { try? JSONValue(json: $0) }?["notificationUUID"]?.string
      if known == item.notificationUUID { return true }
    }
    return false
  }

  /// The notifications among which one of this UUID would be.
  private func candidates(_ item: HistoryItem, in scope: Scope) throws(StoreError) -> [Int64] {
    guard let original = item.originalTransactionId else {
      return try session.rows(Self.chainless, []) { (row) throws(StoreError) in
        try row.requiredInteger(0)
      }
    }
    let key = ChainKey(scope: scope, originalTransactionId: original)
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try session.rows(
      Self.ofChain, [.integer(scopeID), .text(key.originalTransactionId)]
    ) { (row) throws(StoreError) in try row.requiredInteger(0) }
  }

  /// - Returns: Whether it was not kept before.
  private func keep(
    _ item: HistoryItem, _ reason: GapReason, _ factID: Int64?, in scope: Scope, at now: Timestamp
  ) throws(StoreError) -> Bool {
    let scopeID = try chains.scopes.findOrMake(scope)
    let added = try session.run(
      Self.insertGap,
      [
        .integer(scopeID), .text(item.notificationUUID), .text(item.type), .text(item.subtype),
        .moment(item.signedDate), .text(item.originalTransactionId), .text(item.transactionId),
        .text(reason.rawValue), .text(item.refusal?.reason), .integer(factID), .moment(now),
      ])
    let gapID = try session.number(
      Self.gapID, [.integer(scopeID), .text(item.notificationUUID)])
    guard let gapID else { return added > 0 }
    for (place, attempt) in item.attempts.enumerated() {
      try session.run(
        Self.insertAttempt,
        [
          .integer(gapID), .integer(Int64(place)), .moment(attempt.date), .text(attempt.result),
        ])
    }
    return added > 0
  }

  /// When this store was made.
  private func installedAt() throws(StoreError) -> Timestamp {
    let moment = try session.number(Self.installed, []) ?? 0
    return Timestamp(millisecondsSince1970: moment)
  }

  /// Gaps of an app and environment in the order in which they were found.
  package func gaps(
    in scope: Scope, after position: Int64, limit: Int
  ) throws(StoreError) -> [NotificationGap] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    let found = try session.rows(
      Self.gapRows, [.integer(scopeID), .integer(position), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in try gap(row, scope) }
    return try found.map { (gap) throws(StoreError) in try withAttempts(gap) }
  }

  private func gap(_ row: any SQLRow, _ scope: Scope) throws(StoreError) -> NotificationGap {
    guard let reason = GapReason(rawValue: try row.requiredText(7)) else {
      throw .inconsistent(detail: "a gap of unknown reason")
    }
    return NotificationGap(
      position: try row.requiredInteger(0), scope: scope,
      notificationUUID: try row.requiredText(1), type: row.text(2), subtype: row.text(3),
      signedDate: row.timestamp(4), originalTransactionId: row.text(5),
      transactionId: row.text(6), reason: reason, detail: row.text(8), factID: row.integer(9),
      foundAt: try row.requiredTimestamp(10), arrivedAt: row.timestamp(11), attempts: [])
  }

  private func withAttempts(_ gap: NotificationGap) throws(StoreError) -> NotificationGap {
    let attempts = try session.rows(Self.attempts, [.integer(gap.position)]) {
      SendingAttempt(date: $0.timestamp(0), result: $0.text(1))
    }
    return NotificationGap(
      position: gap.position, scope: gap.scope, notificationUUID: gap.notificationUUID,
      type: gap.type, subtype: gap.subtype, signedDate: gap.signedDate,
      originalTransactionId: gap.originalTransactionId, transactionId: gap.transactionId,
      reason: gap.reason, detail: gap.detail, factID: gap.factID, foundAt: gap.foundAt,
      arrivedAt: gap.arrivedAt, attempts: attempts)
  }

  private static let inQuarantine = SQLStatement("SELECT id FROM quarantine WHERE sha256 = ?")
  private static let payload = SQLStatement("SELECT payload FROM facts WHERE id = ?")
  private static let chainless = SQLStatement(
    "SELECT id FROM facts WHERE kind = 'notification' AND chain_id IS NULL")
  private static let ofChain = SQLStatement(
    """
    SELECT facts.id FROM facts JOIN chains ON chains.id = facts.chain_id
    WHERE chains.scope_id = ? AND chains.original_transaction_id = ?
      AND facts.kind = 'notification'
    """)
  private static let installed = SQLStatement(
    "SELECT applied_at_ms FROM migrations WHERE position = 0")
  private static let insertGap = SQLStatement(
    """
    INSERT INTO notification_gaps (scope_id, notification_uuid, type, subtype, signed_at_ms,
      original_transaction_id, transaction_id, reason, detail, fact_id, found_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope_id, notification_uuid) DO NOTHING
    """)
  private static let gapID = SQLStatement(
    "SELECT id FROM notification_gaps WHERE scope_id = ? AND notification_uuid = ?")
  private static let insertAttempt = SQLStatement(
    """
    INSERT INTO gap_attempts (gap_id, place, attempted_at_ms, result) VALUES (?, ?, ?, ?)
    ON CONFLICT (gap_id, place) DO UPDATE SET
      attempted_at_ms = excluded.attempted_at_ms, result = excluded.result
    """)
  private static let gapRows = SQLStatement(
    """
    SELECT notification_gaps.id, notification_uuid, type, subtype, signed_at_ms,
      original_transaction_id, transaction_id, notification_gaps.reason, detail,
      notification_gaps.fact_id, found_at_ms, sightings.received_at_ms
    FROM notification_gaps LEFT JOIN sightings
      ON sightings.fact_id = notification_gaps.fact_id AND sightings.channel = 'notification'
    WHERE notification_gaps.scope_id = ? AND notification_gaps.id > ?
    ORDER BY notification_gaps.id LIMIT ?
    """)
  private static let attempts = SQLStatement(
    "SELECT attempted_at_ms, result FROM gap_attempts WHERE gap_id = ? ORDER BY place")
}
