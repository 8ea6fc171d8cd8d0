extension Migration {
  /// What each chain says of each entitlement, so that a customer's other chains need not be read.
  static let claims = Migration(
    "claims",
    [
      """
      ALTER TABLE chains ADD COLUMN holds_until_ms INTEGER
      """,
      """
      ALTER TABLE chains ADD COLUMN changes_at_ms INTEGER
      """,
      """
      CREATE INDEX turning_chains ON chains (customer_id, holds_until_ms)
        WHERE holds_until_ms IS NOT NULL
      """,
      """
      CREATE INDEX changing_chains ON chains (customer_id, changes_at_ms)
        WHERE changes_at_ms IS NOT NULL
      """,
      """
      ALTER TABLE customers ADD COLUMN claims_hold_since_ms INTEGER
      """,
      """
      CREATE TABLE claims (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers,
        chain_id INTEGER NOT NULL REFERENCES chains,
        entitlement TEXT NOT NULL CHECK (entitlement <> ''),
        rank INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 3),
        moment_ms INTEGER NOT NULL,
        original_transaction_id TEXT NOT NULL,
        UNIQUE (chain_id, customer_id, entitlement)
      ) STRICT
      """,
      """
      CREATE INDEX strongest_claims
        ON claims (customer_id, entitlement, rank, moment_ms, original_transaction_id)
      """,
    ])
}
