package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Keeps when a channel first showed a refund or revocation, and what Apple declined.
  func noteSignals(
    of fact: LedgerFact, by channel: Channel, at receivedAt: Timestamp
  ) throws(StoreError) {
    guard let copy = fact.transaction else { return }
    let dates = [copy.revocation?.date, copy.itemRefundDate].compactMap { $0 }
    let decline = fact.decline
    guard !dates.isEmpty || decline != nil else { return }
    let key = ChainKey(scope: fact.scope, originalTransactionId: copy.originalTransactionId)
    guard let chainID = try chains.findHeader(key)?.id else { return }
    let id = SQLValue.integer(chainID)
    for date in dates {
      try session.run(
        Self.insertSighting,
        [
          id, .text(copy.transactionId), .moment(date), .text(channel.rawValue),
          .moment(receivedAt), .moment(copy.signedDate),
        ])
    }
    guard let decline else { return }
    try session.run(
      Self.insertDecline,
      [
        id, .text(copy.transactionId), .text(decline.notificationUUID),
        .moment(decline.outerDate),
      ])
  }

  /// Keeps the version of the app that first reported a purchase and said which it is.
  package func noteVersion(
    _ version: String, of fact: LedgerFact, at now: Timestamp
  ) throws(StoreError) {
    guard let copy = fact.transaction else { return }
    let key = ChainKey(scope: fact.scope, originalTransactionId: copy.originalTransactionId)
    guard let chainID = try chains.findHeader(key)?.id else { return }
    try session.run(
      Self.insertVersion,
      [.integer(chainID), .text(copy.transactionId), .text(version), .moment(now)])
  }

  private static let insertSighting = SQLStatement(
    """
    INSERT INTO revocation_sightings (chain_id, transaction_id, revoked_at_ms, channel,
      first_received_at_ms, first_signed_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (chain_id, transaction_id, revoked_at_ms, channel) DO UPDATE SET
      first_received_at_ms =
        CASE WHEN excluded.first_received_at_ms < revocation_sightings.first_received_at_ms
          THEN excluded.first_received_at_ms
          ELSE revocation_sightings.first_received_at_ms END,
      first_signed_at_ms =
        CASE WHEN excluded.first_signed_at_ms < revocation_sightings.first_signed_at_ms
          THEN excluded.first_signed_at_ms
          ELSE revocation_sightings.first_signed_at_ms END
    """)
  private static let insertDecline = SQLStatement(
    """
    INSERT INTO declines (chain_id, transaction_id, notification_uuid, declined_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (chain_id, transaction_id, notification_uuid)
      DO UPDATE SET declined_at_ms = excluded.declined_at_ms
      WHERE excluded.declined_at_ms < declines.declined_at_ms
    """)
  private static let insertVersion = SQLStatement(
    """
    INSERT INTO reported_versions (chain_id, transaction_id, app_version, reported_at_ms)
    VALUES (?, ?, ?, ?)
    ON CONFLICT (chain_id, transaction_id) DO NOTHING
    """)
}

extension TransactionCopy {
  /// The date that a refund of items alone is listed under.
  fileprivate var itemRefundDate: Timestamp? {
    guard inAppOwnershipType == .purchased, let amount = advancedCommerceRefund,
      amount.milliunits != 0
    else { return nil }
    return advancedCommerceRefundedAt ?? purchaseDate
  }
}

extension LedgerFact {
  fileprivate var decline: NotificationFact? {
    guard case .notification(let fact) = self, fact.type == .refundDeclined else { return nil }
    return fact
  }
}
