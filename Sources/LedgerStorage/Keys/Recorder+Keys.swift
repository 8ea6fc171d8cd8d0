package import AppStoreModel

extension Recorder {
  /// Keeps a new key.
  ///
  /// - Returns: Whether its name was free.
  package func add(_ key: StoredKey) throws(StoreError) -> Bool {
    if try session.number(Self.keyNamed, [.text(key.name)]) != nil { return false }
    let id = try session.insert(
      Self.insertKey,
      [
        .text(key.name), .bytes(key.secretSHA256), .text(key.scope),
        .text(key.environment.rawValue), .moment(key.madeAt),
      ])
    for bundleId in key.bundleIds.sorted() {
      try session.run(Self.insertKeyApp, [.integer(id), .text(bundleId)])
    }
    return true
  }

  /// Ends a key; a name stays taken.
  ///
  /// - Returns: Whether there was a good key of that name.
  package func revokeKey(_ name: String, now: Timestamp) throws(StoreError) -> Bool {
    try session.run(Self.revokeKey, [.moment(now), .text(name)]) > 0
  }

  /// All keys, revoked ones included, by name.
  package func keys() throws(StoreError) -> [StoredKey] {
    var apps: [Int64: Set<String>] = [:]
    try session.forEach(Self.keyApps, []) { (row) throws(StoreError) in
      apps[try row.requiredInteger(0), default: []].insert(try row.requiredText(1))
      return true
    }
    return try session.rows(Self.allKeys, []) { (row) throws(StoreError) in
      StoredKey(
        name: try row.requiredText(1), secretSHA256: try row.requiredBytes(2),
        scope: try row.requiredText(3), bundleIds: apps[try row.requiredInteger(0)] ?? [],
        environment: AppStoreEnvironment(rawValue: try row.requiredText(4)),
        madeAt: try row.requiredTimestamp(5), revokedAt: row.timestamp(6))
    }
  }

  private static let keyNamed = SQLStatement("SELECT id FROM api_keys WHERE name = ?")
  private static let insertKey = SQLStatement(
    """
    INSERT INTO api_keys (name, secret_sha256, scope, environment, made_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let insertKeyApp = SQLStatement(
    "INSERT INTO api_key_apps (key_id, bundle_id) VALUES (?, ?)")
  private static let revokeKey = SQLStatement(
    "UPDATE api_keys SET revoked_at_ms = ? WHERE name = ? AND revoked_at_ms IS NULL")
  private static let keyApps = SQLStatement("SELECT key_id, bundle_id FROM api_key_apps")
  private static let allKeys = SQLStatement(
    """
    SELECT id, name, secret_sha256, scope, environment, made_at_ms, revoked_at_ms
    FROM api_keys ORDER BY name
    """)
}
