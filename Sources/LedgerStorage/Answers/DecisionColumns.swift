import AppStoreModel
import EntitlementLedger

/// The columns that one decision is kept in.
enum DecisionColumns {
  static let names = """
    entitlement, reason, until_ms, original_transaction_id, transaction_id, product_id, ownership,
    purchased_at_ms, expires_at_ms, revoked_at_ms, revocation_class, revoked_percent_milliunits,
    status, stated_at_ms, grant_name
    """

  static let marks = Array(repeating: "?", count: 15).joined(separator: ", ")

  static let updates = names.split(separator: ",").map {
    let name = $0.filter { !$0.isWhitespace }
    return "\(name) = excluded.\(name)"
  }.joined(separator: ", ")

  static func values(of decision: Decision) -> [SQLValue] {
    let evidence = decision.evidence
    return [
      .text(decision.entitlement), .text(decision.reason.rawValue), .moment(decision.until),
      .text(evidence.chain?.originalTransactionId), .text(evidence.transactionId),
      .text(evidence.productId), .text(evidence.ownership?.rawValue),
      .moment(evidence.purchaseDate), .moment(evidence.expiresDate),
      .moment(evidence.revocationDate), .text(evidence.revocationClass?.rawValue),
      .integer(evidence.share.map { Int64($0.percentMilliunits) }),
      .integer(evidence.status.map { Int64($0.rawValue) }), .moment(evidence.statusDate),
      .text(evidence.grantId),
    ]
  }

  static func decision(from row: any SQLRow, in scope: Scope) throws(StoreError) -> Decision {
    guard let reason = DecisionReason(rawValue: try row.requiredText(1)) else {
      throw .inconsistent(detail: "a decision of unknown reason")
    }
    let evidence = Evidence(
      chain: row.text(3).map { ChainKey(scope: scope, originalTransactionId: $0) },
      transactionId: row.text(4), productId: row.text(5),
      ownership: row.text(6).map { InAppOwnershipType(rawValue: $0) },
      purchaseDate: row.timestamp(7), expiresDate: row.timestamp(8),
      revocationDate: row.timestamp(9),
      revocationClass: row.text(10).flatMap { RevocationClass(rawValue: $0) },
      share: row.integer(11).flatMap { RevokedShare(percentMilliunits: Int32(clamping: $0)) },
      status: row.integer(12).map { SubscriptionStatus(rawValue: Int32(clamping: $0)) },
      statusDate: row.timestamp(13), grantId: row.text(14))
    return Decision(
      entitlement: try row.requiredText(0), reason: reason, evidence: evidence,
      until: row.timestamp(2))
  }
}
