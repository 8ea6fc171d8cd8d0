import AppStoreModel
import EntitlementLedger

extension ChainTable {
  /// Reads everything that a chain is made of.
  func filled(_ header: StoredChain) throws(StoreError) -> StoredChain {
    var stored = header
    let id: [SQLValue] = [.integer(header.id)]
    let original = header.chain.key.originalTransactionId
    stored.chain.transactions = try transactions(id, original)
    stored.chain.renewal =
      try session.first(Self.renewal, id) { (row) throws(StoreError) in
        RenewalColumns.copy(from: row, first: 0, originalTransactionId: original)
      } ?? nil
    stored.chain.statuses = try statuses(id, original)
    stored.chain.revocations = try revocations(id, original)
    stored.chain.reversals = try marks(Self.reversals, id)
    stored.chain.undatedRevocations = try marks(Self.undated, id)
    return stored
  }

  private func transactions(
    _ id: [SQLValue], _ original: String
  ) throws(StoreError) -> [String: TransactionState] {
    var states: [String: TransactionState] = [:]
    try session.forEach(Self.transactions, id) { (row) throws(StoreError) in
      let copy = try TransactionColumns.copy(
        from: row, first: 2, originalTransactionId: original)
      states[copy.transactionId] = TransactionState(
        newest: copy, firstSigned: try row.requiredTimestamp(0), newestFromAPI: nil,
        newestCleanFromAPI: nil, isContested: row.flag(1))
      return true
    }
    try session.forEach(Self.apiCopies, id) { (row) throws(StoreError) in
      let copy = try TransactionColumns.copy(
        from: row, first: 1, originalTransactionId: original)
      if row.text(0) == "newest" {
        states[copy.transactionId]?.newestFromAPI = copy
      } else {
        states[copy.transactionId]?.newestCleanFromAPI = copy
      }
      return true
    }
    return states
  }

  private func statuses(
    _ id: [SQLValue], _ original: String
  ) throws(StoreError) -> [String: StatusEntry] {
    var entries: [String: StatusEntry] = [:]
    try session.forEach(Self.statuses, id) { (row) throws(StoreError) in
      guard let source = StatusEntry.Source(rawValue: try row.requiredText(1)) else {
        throw .inconsistent(detail: "a status of unknown source")
      }
      let entry = StatusEntry(
        id: try row.requiredText(0), source: source,
        status: SubscriptionStatus(rawValue: Int32(clamping: try row.requiredInteger(2))),
        date: try row.requiredTimestamp(3), transactionId: row.text(4),
        revocationDate: row.timestamp(5),
        renewal: RenewalColumns.copy(from: row, first: 6, originalTransactionId: original))
      entries[entry.id] = entry
      return true
    }
    return entries
  }

  private func revocations(
    _ id: [SQLValue], _ original: String
  ) throws(StoreError) -> [RevocationKey: Revocation] {
    var found: [RevocationKey: Revocation] = [:]
    try session.forEach(Self.revocations, id) { (row) throws(StoreError) in
      let copy = try TransactionColumns.copy(
        from: row, first: 4, originalTransactionId: original)
      guard let date = copy.revocation?.date else {
        throw .inconsistent(detail: "a revocation without a date")
      }
      let key = RevocationKey(transactionId: copy.transactionId, revocationDate: date)
      found[key] = Revocation(
        key: key, refundSeen: row.flag(0), revokeSeen: row.flag(1),
        firstShown: try row.requiredTimestamp(2), lastShownByAPI: row.timestamp(3),
        newestShowing: copy)
      return true
    }
    return found
  }

  private func marks(
    _ statement: SQLStatement, _ id: [SQLValue]
  ) throws(StoreError) -> [String: [String: Timestamp]] {
    var found: [String: [String: Timestamp]] = [:]
    try session.forEach(statement, id) { (row) throws(StoreError) in
      found[try row.requiredText(0), default: [:]][try row.requiredText(1)] =
        try row.requiredTimestamp(2)
      return true
    }
    return found
  }

  private static let transactions = SQLStatement(
    """
    SELECT first_signed_at_ms, is_contested, \(TransactionColumns.names)
    FROM transactions WHERE chain_id = ?
    """)
  private static let apiCopies = SQLStatement(
    "SELECT role, \(TransactionColumns.names) FROM api_copies WHERE chain_id = ?")
  private static let renewal = SQLStatement(
    "SELECT \(RenewalColumns.names) FROM renewals WHERE chain_id = ?")
  private static let statuses = SQLStatement(
    """
    SELECT name, source, status, stated_at_ms, transaction_id, revoked_at_ms,
      \(RenewalColumns.names)
    FROM statuses WHERE chain_id = ?
    """)
  private static let revocations = SQLStatement(
    """
    SELECT refund_seen, revoke_seen, first_shown_at_ms, last_shown_by_api_at_ms,
      \(TransactionColumns.names)
    FROM revocations WHERE chain_id = ?
    """)
  private static let reversals = SQLStatement(
    """
    SELECT transaction_id, notification_uuid, reversed_at_ms FROM reversals WHERE chain_id = ?
    """)
  private static let undated = SQLStatement(
    """
    SELECT transaction_id, notification_uuid, stated_at_ms
    FROM undated_revocations WHERE chain_id = ?
    """)
}
