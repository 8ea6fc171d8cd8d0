import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Remembers when each revocation became known, by whatever channel came first.
  func noteRevocations(_ change: ChainChange, _ cause: Cause) throws(StoreError) {
    let known = change.before.revocations
    for key in change.after.chain.revocations.keys.sorted() where known[key] == nil {
      try session.run(
        Self.insertNotice,
        [
          .integer(change.after.id), .text(key.transactionId), .moment(key.revocationDate),
          .moment(cause.now),
        ])
    }
  }

  /// When it became known that a transaction was revoked at a date; `nil` for what was known before
  /// such notes were kept.
  func knownAt(_ chainID: Int64, _ key: RevocationKey) throws(StoreError) -> Timestamp? {
    try session.number(
      Self.notice,
      [.integer(chainID), .text(key.transactionId), .moment(key.revocationDate)]
    ).map { Timestamp(millisecondsSince1970: $0) }
  }

  /// Whether spend charged to a transaction at a moment was late, by what is known now.
  func lateness(
    on stored: StoredChain?, _ transactionId: String?, at moment: Timestamp
  ) throws(StoreError) -> SpendRecord.Lateness? {
    guard let stored, let transactionId,
      let key = stored.chain.takenBack(transactionId)?.key, key.revocationDate <= moment
    else { return nil }
    let knownAt = try knownAt(stored.id, key) ?? key.revocationDate
    return knownAt <= moment ? .ignored : .unseen
  }

  private static let insertNotice = SQLStatement(
    """
    INSERT INTO revocation_notices (chain_id, transaction_id, revoked_at_ms, known_at_ms)
    VALUES (?, ?, ?, ?) ON CONFLICT (chain_id, transaction_id, revoked_at_ms) DO NOTHING
    """)
  private static let notice = SQLStatement(
    """
    SELECT known_at_ms FROM revocation_notices
    WHERE chain_id = ? AND transaction_id = ? AND revoked_at_ms = ?
    """)
}
