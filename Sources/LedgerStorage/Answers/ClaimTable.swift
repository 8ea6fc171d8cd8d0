import AppStoreModel
import EntitlementLedger

/// The claims of every chain that somebody owns.
///
/// A customer's decision about an entitlement is that of the strongest claim, which an index finds
/// among any number.
struct ClaimTable {
  let session: any SQLSession

  func claims(ofChain chainID: Int64, for customerID: Int64) throws(StoreError) -> [Claim] {
    try session.rows(Self.ofChain, [.integer(chainID), .integer(customerID)]) {
      (row) throws(StoreError) in try claim(row, entitlement: try row.requiredText(4))
    }
  }

  /// The strongest claim on an entitlement that none of `excluded` makes.
  func strongest(
    _ entitlement: String, of customerID: Int64, excluding excluded: Set<Int64>
  ) throws(StoreError) -> Claim? {
    var found: Claim?
    try session.forEach(Self.byStrength, [.integer(customerID), .text(entitlement)]) {
      (row) throws(StoreError) in
      if excluded.contains(try row.requiredInteger(0)) { return true }
      found = try claim(row, entitlement: entitlement)
      return false
    }
    return found
  }

  /// Writes what is different between a chain's claims before and now.
  func replace(
    _ before: [Claim], by now: [Claim], for customerID: Int64
  ) throws(StoreError) {
    for claim in now where !before.contains(claim) { try upsert(claim, for: customerID) }
    let kept = Set(now.map(\.entitlement))
    for claim in before where !kept.contains(claim.entitlement) {
      try session.run(
        Self.delete,
        [.integer(claim.chainID), .integer(customerID), .text(claim.entitlement)])
    }
  }

  private func upsert(_ claim: Claim, for customerID: Int64) throws(StoreError) {
    try session.run(
      Self.upsert,
      [
        .integer(customerID), .integer(claim.chainID), .text(claim.entitlement),
        .integer(Int64(claim.strength.rank)), .moment(claim.strength.moment),
        .text(claim.originalTransactionId),
      ])
  }

  private func claim(_ row: any SQLRow, entitlement: String) throws(StoreError) -> Claim {
    Claim(
      chainID: try row.requiredInteger(0), originalTransactionId: try row.requiredText(1),
      entitlement: entitlement,
      strength: DecisionStrength(
        rank: Int(try row.requiredInteger(2)), moment: try row.requiredTimestamp(3)))
  }

  private static let columns = "chain_id, original_transaction_id, rank, moment_ms"
  private static let ofChain = SQLStatement(
    "SELECT \(columns), entitlement FROM claims WHERE chain_id = ? AND customer_id = ?")
  private static let byStrength = SQLStatement(
    """
    SELECT \(columns) FROM claims WHERE customer_id = ? AND entitlement = ?
    ORDER BY rank DESC, moment_ms DESC, original_transaction_id DESC
    """)
  private static let upsert = SQLStatement(
    """
    INSERT INTO claims
      (customer_id, chain_id, entitlement, rank, moment_ms, original_transaction_id)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (chain_id, customer_id, entitlement) DO UPDATE SET
      rank = excluded.rank, moment_ms = excluded.moment_ms
    """)
  private static let delete = SQLStatement(
    "DELETE FROM claims WHERE chain_id = ? AND customer_id = ? AND entitlement = ?")
}
