import AppStoreModel
package import EntitlementLedger

extension ChainTable {
  /// Writes the records of a chain that a fact changed, and no others.
  package func write(
    _ change: Change, from before: Chain, to stored: StoredChain
  ) throws(StoreError) {
    let chain = stored.chain
    for transactionId in change.transactionIds {
      guard let state = chain.transactions[transactionId] else { continue }
      try write(state, chainID: stored.id)
    }
    if change.renewal, let renewal = chain.renewal {
      try session.run(
        Self.upsertRenewal, [.integer(stored.id)] + RenewalColumns.values(of: renewal))
    }
    if chain.succeededAt != before.succeededAt
      || chain.renewalIsContested != before.renewalIsContested
    {
      try writeHeader(of: stored)
    }
    for id in change.statusIds {
      guard let entry = chain.statuses[id] else { continue }
      try write(entry, chainID: stored.id)
    }
    for key in change.revocations {
      guard let revocation = chain.revocations[key] else { continue }
      try write(revocation, chainID: stored.id)
    }
    try write(change.reversals, Self.upsertReversal, chain.reversals, stored.id)
    try write(
      change.undatedRevocations, Self.upsertUndated, chain.undatedRevocations, stored.id)
  }

  private func write(_ state: TransactionState, chainID: Int64) throws(StoreError) {
    try session.run(
      Self.upsertTransaction,
      [.integer(chainID), .moment(state.firstSigned), .flag(state.isContested)]
        + TransactionColumns.values(of: state.newest))
    let copies = [("newest", state.newestFromAPI), ("newestClean", state.newestCleanFromAPI)]
    for case (let role, let copy?) in copies {
      try session.run(
        Self.upsertAPICopy,
        [.integer(chainID), .text(role)] + TransactionColumns.values(of: copy))
    }
  }

  private func writeHeader(of stored: StoredChain) throws(StoreError) {
    try session.run(
      Self.updateHeader,
      [
        .moment(stored.chain.succeededAt), .flag(stored.chain.renewalIsContested),
        .integer(stored.id),
      ])
  }

  private func write(_ entry: StatusEntry, chainID: Int64) throws(StoreError) {
    try session.run(
      Self.upsertStatus,
      [
        .integer(chainID), .text(entry.id), .text(entry.source.rawValue),
        .integer(Int64(entry.status.rawValue)), .moment(entry.date), .text(entry.transactionId),
        .moment(entry.revocationDate),
      ] + RenewalColumns.values(of: entry.renewal))
  }

  private func write(_ revocation: Revocation, chainID: Int64) throws(StoreError) {
    try session.run(
      Self.upsertRevocation,
      [
        .integer(chainID), .flag(revocation.refundSeen), .flag(revocation.revokeSeen),
        .moment(revocation.firstShown), .moment(revocation.lastShownByAPI),
      ] + TransactionColumns.values(of: revocation.newestShowing))
  }

  private func write(
    _ marks: [NotificationMark], _ statement: SQLStatement,
    _ dates: [String: [String: Timestamp]], _ chainID: Int64
  ) throws(StoreError) {
    for mark in marks {
      guard let date = dates[mark.transactionId]?[mark.notificationUUID] else { continue }
      try session.run(
        statement,
        [
          .integer(chainID), .text(mark.transactionId), .text(mark.notificationUUID),
          .moment(date),
        ])
    }
  }

  private static let upsertTransaction = SQLStatement(
    """
    INSERT INTO transactions
      (chain_id, first_signed_at_ms, is_contested, \(TransactionColumns.names))
    VALUES (?, ?, ?, \(TransactionColumns.marks))
    ON CONFLICT (chain_id, transaction_id) DO UPDATE SET
      first_signed_at_ms = excluded.first_signed_at_ms, is_contested = excluded.is_contested,
      \(TransactionColumns.updates)
    """)
  private static let upsertAPICopy = SQLStatement(
    """
    INSERT INTO api_copies (chain_id, role, \(TransactionColumns.names))
    VALUES (?, ?, \(TransactionColumns.marks))
    ON CONFLICT (chain_id, transaction_id, role) DO UPDATE SET \(TransactionColumns.updates)
    """)
  private static let upsertRevocation = SQLStatement(
    """
    INSERT INTO revocations
      (chain_id, refund_seen, revoke_seen, first_shown_at_ms, last_shown_by_api_at_ms,
       \(TransactionColumns.names))
    VALUES (?, ?, ?, ?, ?, \(TransactionColumns.marks))
    ON CONFLICT (chain_id, transaction_id, revoked_at_ms) DO UPDATE SET
      refund_seen = excluded.refund_seen, revoke_seen = excluded.revoke_seen,
      first_shown_at_ms = excluded.first_shown_at_ms,
      last_shown_by_api_at_ms = excluded.last_shown_by_api_at_ms,
      \(TransactionColumns.updates)
    """)
  private static let upsertRenewal = SQLStatement(
    """
    INSERT INTO renewals (chain_id, \(RenewalColumns.names))
    VALUES (?, \(RenewalColumns.marks))
    ON CONFLICT (chain_id) DO UPDATE SET \(RenewalColumns.updates)
    """)
  private static let upsertStatus = SQLStatement(
    """
    INSERT INTO statuses
      (chain_id, name, source, status, stated_at_ms, transaction_id, revoked_at_ms,
       \(RenewalColumns.names))
    VALUES (?, ?, ?, ?, ?, ?, ?, \(RenewalColumns.marks))
    ON CONFLICT (chain_id, name) DO UPDATE SET
      source = excluded.source, status = excluded.status, stated_at_ms = excluded.stated_at_ms,
      transaction_id = excluded.transaction_id, revoked_at_ms = excluded.revoked_at_ms,
      \(RenewalColumns.updates)
    """)
  private static let updateHeader = SQLStatement(
    "UPDATE chains SET succeeded_at_ms = ?, renewal_is_contested = ? WHERE id = ?")
  private static let upsertReversal = SQLStatement(
    """
    INSERT INTO reversals (chain_id, transaction_id, notification_uuid, reversed_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (chain_id, transaction_id, notification_uuid)
      DO UPDATE SET reversed_at_ms = excluded.reversed_at_ms
    """)
  private static let upsertUndated = SQLStatement(
    """
    INSERT INTO undated_revocations (chain_id, transaction_id, notification_uuid, stated_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (chain_id, transaction_id, notification_uuid)
      DO UPDATE SET stated_at_ms = excluded.stated_at_ms
    """)
}
