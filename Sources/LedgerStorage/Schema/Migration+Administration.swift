extension Migration {
  /// Who may ask, and what could not be taken.
  static let administration = Migration(
    "administration",
    [
      """
      CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        secret_sha256 BLOB NOT NULL UNIQUE CHECK (length(secret_sha256) = 32),
        scope TEXT NOT NULL CHECK (scope IN ('device', 'read', 'spend', 'admin')),
        environment TEXT NOT NULL CHECK (environment <> ''),
        made_at_ms INTEGER NOT NULL,
        revoked_at_ms INTEGER
      ) STRICT
      """,
      """
      CREATE TABLE api_key_apps (
        id INTEGER PRIMARY KEY,
        key_id INTEGER NOT NULL REFERENCES api_keys,
        bundle_id TEXT NOT NULL CHECK (bundle_id <> ''),
        UNIQUE (key_id, bundle_id)
      ) STRICT
      """,
      """
      CREATE TABLE quarantine (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
        channel TEXT NOT NULL,
        reason TEXT NOT NULL CHECK (reason <> ''),
        excerpt BLOB NOT NULL CHECK (length(excerpt) <= 1024),
        body BLOB,
        received_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE INDEX quarantined_with_body ON quarantine (id) WHERE body IS NOT NULL
      """,
      """
      CREATE INDEX quarantined_without_body ON quarantine (id) WHERE body IS NULL
      """,
    ])
}
