extension Migration {
  /// Whose store it is, and which steps it has taken.
  static let identity = Migration(
    "identity",
    [
      """
      CREATE TABLE migrations (
        position INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        applied_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE store_identity (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        realm TEXT NOT NULL CHECK (realm = 'apple' OR realm LIKE 'test:%'),
        rules_sha256 BLOB CHECK (length(rules_sha256) = 32)
      ) STRICT
      """,
      """
      CREATE TABLE scopes (
        id INTEGER PRIMARY KEY,
        bundle_id TEXT NOT NULL,
        environment TEXT NOT NULL CHECK (environment NOT IN ('Xcode', 'LocalTesting')),
        UNIQUE (bundle_id, environment)
      ) STRICT
      """,
      """
      CREATE TABLE customers (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        name TEXT NOT NULL CHECK (name <> ''),
        version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
        due_at_ms INTEGER,
        UNIQUE (scope_id, name)
      ) STRICT
      """,
      """
      CREATE INDEX deadlines ON customers (due_at_ms) WHERE due_at_ms IS NOT NULL
      """,
      """
      CREATE TABLE chains (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        original_transaction_id TEXT NOT NULL CHECK (original_transaction_id <> ''),
        customer_id INTEGER REFERENCES customers,
        succeeded_at_ms INTEGER,
        renewal_is_contested INTEGER NOT NULL DEFAULT 0 CHECK (renewal_is_contested IN (0, 1)),
        UNIQUE (scope_id, original_transaction_id)
      ) STRICT
      """,
      """
      CREATE INDEX chains_by_customer ON chains (customer_id)
      """,
    ])
}
