import AppStoreModel
import EntitlementLedger

/// What named an erased customer in Apple's data, as hashes: so that it is known again without being
/// kept.
struct ErasedMarkTable {
  enum Kind: String {
    /// An `appAccountToken`.
    case token
    /// An `appTransactionId`.
    case appTransaction
  }

  let session: any SQLSession

  func add(
    _ text: String, _ kind: Kind, inScope scopeID: Int64, at now: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.insert,
      [.integer(scopeID), .text(kind.rawValue), .bytes(Self.hash(text)), .moment(now)])
  }

  /// Whether anybody was ever erased.
  func isEmpty() throws(StoreError) -> Bool { try session.number(Self.last, []) == nil }

  func contains(
    _ text: String, _ kind: Kind, inScope scopeID: Int64
  ) throws(StoreError) -> Bool {
    try session.number(
      Self.find, [.integer(scopeID), .text(kind.rawValue), .bytes(Self.hash(text))]) != nil
  }

  private static func hash(_ text: String) -> [UInt8] {
    Fingerprint(hashing: Array(text.utf8)).bytes
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO erased_marks (scope_id, kind, sha256, erased_at_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope_id, kind, sha256) DO NOTHING
    """)
  private static let last = SQLStatement("SELECT max(id) FROM erased_marks")
  private static let find = SQLStatement(
    "SELECT id FROM erased_marks WHERE scope_id = ? AND kind = ? AND sha256 = ?")
}

extension Recorder {
  var erasedMarks: ErasedMarkTable { ErasedMarkTable(session: session) }

  /// What Apple signed about whose a chain is, as far as that counts.
  ///
  /// Of a chain whose owner was erased nothing does: only what is stated since. A token or an Apple
  /// Account of somebody erased names nobody until a backend says anew whose it is.
  func ownershipClaim(of stored: StoredChain) throws(StoreError) -> OwnershipClaim {
    guard !stored.isErased else {
      return OwnershipClaim(
        appAccountToken: nil, appTransactionId: nil, previousOriginalTransactionId: nil)
    }
    let claim = stored.chain.ownershipClaim
    if try erasedMarks.isEmpty() { return claim }
    return OwnershipClaim(
      appAccountToken: try token(claim.appAccountToken, inScope: stored.scopeID),
      appTransactionId: try account(claim.appTransactionId, inScope: stored.scopeID),
      previousOriginalTransactionId: claim.previousOriginalTransactionId)
  }

  private func token(_ token: String?, inScope scopeID: Int64) throws(StoreError) -> String? {
    guard let token, try erasedMarks.contains(token, .token, inScope: scopeID) else { return token }
    return try ownership.owner(ofToken: token, inScope: scopeID) == nil ? nil : token
  }

  private func account(_ id: String?, inScope scopeID: Int64) throws(StoreError) -> String? {
    guard let id, try erasedMarks.contains(id, .appTransaction, inScope: scopeID) else { return id }
    return try ownership.isBound(id, inScope: scopeID) ? id : nil
  }
}
