extension Migration {
  /// How many purchases share the marks that a fault may hit, and the clusters that were told.
  ///
  /// An empty version or storefront is one that nobody stated.
  static let clusters = Migration(
    "clusters",
    [
      """
      CREATE TABLE purchase_tallies (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        product_id TEXT NOT NULL,
        app_version TEXT NOT NULL,
        storefront TEXT NOT NULL,
        purchase_day INTEGER NOT NULL,
        purchases INTEGER NOT NULL CHECK (purchases >= 0),
        UNIQUE (scope_id, purchase_day, product_id, app_version, storefront)
      ) STRICT
      """,
      """
      CREATE TABLE tally_progress (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        last_transaction INTEGER NOT NULL CHECK (last_transaction >= 0),
        last_version INTEGER NOT NULL CHECK (last_version >= 0)
      ) STRICT
      """,
      "INSERT INTO tally_progress (only, last_transaction, last_version) VALUES (1, 0, 0)",
      """
      CREATE TABLE fault_clusters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        product_id TEXT,
        app_version TEXT,
        storefront TEXT,
        purchase_week INTEGER,
        first_day INTEGER NOT NULL,
        last_day INTEGER NOT NULL CHECK (last_day >= first_day),
        refunds INTEGER NOT NULL CHECK (refunds >= 1),
        expected_thousandths INTEGER NOT NULL CHECK (expected_thousandths >= 0),
        one_in INTEGER NOT NULL CHECK (one_in >= 1),
        told_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      "CREATE INDEX fault_clusters_by_scope ON fault_clusters (scope_id, id)",
      """
      CREATE INDEX fault_refunds ON revocations (revoked_at_ms) WHERE revocation_reason = 1
      """,
    ])
}
