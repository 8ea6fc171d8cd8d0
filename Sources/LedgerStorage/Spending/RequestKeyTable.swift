import AppStoreModel

/// The keys that make requests safe to repeat.
struct RequestKeyTable {
  /// What was asked under a key before.
  struct Used {
    let id: Int64
    let isSame: Bool
    let authorizationID: Int64?
  }

  let session: any SQLSession

  func used(_ key: RequestKey) throws(StoreError) -> Used? {
    try session.first(Self.byName, [.text(key.caller), .text(key.key)]) {
      (row) throws(StoreError) in
      Used(
        id: try row.requiredInteger(0), isSame: try row.requiredBytes(1) == key.requestSHA256,
        authorizationID: row.integer(2))
    }
  }

  /// - Returns: The row, which what was recorded by the request names.
  @discardableResult
  func keep(
    _ key: RequestKey, authorizationID: Int64? = nil, at now: Timestamp
  ) throws(StoreError) -> Int64 {
    try session.insert(
      Self.insert,
      [
        .text(key.caller), .text(key.key), .bytes(key.requestSHA256), .integer(authorizationID),
        .moment(now),
      ])
  }

  private static let byName = SQLStatement(
    """
    SELECT id, request_sha256, authorization_id FROM request_keys WHERE caller = ? AND name = ?
    """)
  private static let insert = SQLStatement(
    """
    INSERT INTO request_keys (caller, name, request_sha256, authorization_id, used_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
}
