extension Migration {
  /// Whom we forgot: what their purchases were is kept, whose they were is not.
  static let erasure = Migration(
    "erasure",
    [
      """
      ALTER TABLE chains ADD COLUMN is_erased INTEGER NOT NULL DEFAULT 0
        CHECK (is_erased IN (0, 1))
      """,
      "ALTER TABLE customers ADD COLUMN erased_at_ms INTEGER",
      "ALTER TABLE customers ADD COLUMN erased_by TEXT",
      """
      CREATE INDEX erased_customers ON customers (scope_id, version)
        WHERE erased_at_ms IS NOT NULL
      """,
      """
      CREATE TABLE erased_marks (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        kind TEXT NOT NULL CHECK (kind IN ('token', 'appTransaction')),
        sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
        erased_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, kind, sha256)
      ) STRICT
      """,
      "CREATE INDEX app_transaction_facts ON facts (scope_id) WHERE kind = 'appTransaction'",
    ])
}
