extension Migration {
  /// Catalogs and policies that were stated while the server ran, with who stated them.
  ///
  /// An empty product is the policy; an empty moment is from ever on.
  static let statedRules = Migration(
    "statedRules",
    [
      """
      CREATE TABLE rule_statements (
        id INTEGER PRIMARY KEY,
        bundle_id TEXT NOT NULL CHECK (bundle_id <> ''),
        product_id TEXT NOT NULL,
        is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
        stated_by TEXT,
        stated_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      "CREATE INDEX rule_statements_by_subject ON rule_statements (bundle_id, product_id, id)",
      """
      CREATE TABLE catalog_entries (
        id INTEGER PRIMARY KEY,
        statement_id INTEGER NOT NULL REFERENCES rule_statements,
        effective_from_ms INTEGER,
        entitlements TEXT NOT NULL CHECK (entitlements LIKE '[%]'),
        type TEXT,
        length_ms INTEGER CHECK (length_ms > 0),
        credits_per_unit INTEGER CHECK (credits_per_unit > 0),
        credit_unit TEXT NOT NULL CHECK (credit_unit <> ''),
        is_family_shareable INTEGER NOT NULL CHECK (is_family_shareable IN (0, 1)),
        UNIQUE (statement_id, effective_from_ms)
      ) STRICT
      """,
      """
      CREATE TABLE policy_entries (
        id INTEGER PRIMARY KEY,
        statement_id INTEGER NOT NULL REFERENCES rule_statements,
        effective_from_ms INTEGER,
        renewal_leeway_ms INTEGER NOT NULL CHECK (renewal_leeway_ms >= 0),
        unknown_customer TEXT NOT NULL CHECK (unknown_customer IN ('allow', 'deny')),
        spent_credits TEXT NOT NULL CHECK (spent_credits IN ('debt', 'freeze', 'writeOff')),
        UNIQUE (statement_id, effective_from_ms)
      ) STRICT
      """,
    ])
}
