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
    let erased = ErasedRequestKey(key)
    return try session.first(
      Self.byName, [.text(key.caller), .text(key.key), .text(erased.name)]
    ) { (row) throws(StoreError) in
      let known = try row.requiredBytes(1)
      let isErased = try row.requiredText(3) == erased.name
      return Used(
        id: try row.requiredInteger(0),
        isSame: known == (isErased ? erased.requestSHA256 : key.requestSHA256),
        authorizationID: row.integer(2))
    }
  }

  /// Lets go of the keys under which anything of a customer's was asked, so that each is known again
  /// all the same: a repeat must not be taken for a new request.
  func letGoOfKeys(ofCustomer customerID: Int64) throws(StoreError) {
    let found = try session.rows(
      Self.ofCustomer, [.integer(customerID), .integer(customerID)]
    ) { (row) throws(StoreError) in
      (
        id: try row.requiredInteger(0),
        key: RequestKey(
          caller: try row.requiredText(1), key: try row.requiredText(2),
          requestSHA256: try row.requiredBytes(3))
      )
    }
    for (id, key) in found where !ErasedRequestKey.isErased(key.key) {
      let erased = ErasedRequestKey(key)
      try session.run(
        Self.rename, [.text(erased.name), .bytes(erased.requestSHA256), .integer(id)])
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
    SELECT id, request_sha256, authorization_id, name FROM request_keys
    WHERE caller = ? AND name IN (?, ?)
    """)
  private static let ofCustomer = SQLStatement(
    """
    SELECT id, caller, name, request_sha256 FROM request_keys
    WHERE authorization_id IN (SELECT id FROM authorizations WHERE customer_id = ?)
      OR id IN (SELECT request_key_id FROM spends WHERE customer_id = ?)
    """)
  private static let rename = SQLStatement(
    "UPDATE request_keys SET name = ?, request_sha256 = ? WHERE id = ?")
  private static let insert = SQLStatement(
    """
    INSERT INTO request_keys (caller, name, request_sha256, authorization_id, used_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
}
