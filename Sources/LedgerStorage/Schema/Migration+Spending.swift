extension Migration {
  /// What a customer may spend, holds and has spent.
  static let spending = Migration(
    "spending",
    [
      """
      CREATE TABLE spend_authorizations (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        customer_id INTEGER NOT NULL REFERENCES customers,
        entitlement TEXT NOT NULL CHECK (entitlement <> ''),
        amount_milliunits INTEGER NOT NULL CHECK (amount_milliunits >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        state TEXT NOT NULL
          CHECK (state IN ('denied', 'open', 'settled', 'released', 'lapsed', 'revoked')),
        reason TEXT NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 0),
        chain_id INTEGER REFERENCES chains,
        transaction_id TEXT,
        decided_at_ms INTEGER NOT NULL,
        lapses_at_ms INTEGER,
        CHECK ((state = 'denied') = (lapses_at_ms IS NULL)),
        CHECK (lapses_at_ms >= decided_at_ms)
      ) STRICT
      """,
      """
      CREATE INDEX open_holds ON spend_authorizations (lapses_at_ms) WHERE state = 'open'
      """,
      """
      CREATE INDEX open_holds_by_customer ON spend_authorizations (customer_id)
        WHERE state = 'open'
      """,
      """
      CREATE TABLE spend_records (
        id INTEGER PRIMARY KEY,
        authorization_id INTEGER UNIQUE REFERENCES spend_authorizations,
        customer_id INTEGER NOT NULL REFERENCES customers,
        transaction_id TEXT,
        amount_milliunits INTEGER NOT NULL CHECK (amount_milliunits >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        above_hold INTEGER NOT NULL CHECK (above_hold IN (0, 1)),
        lateness TEXT CHECK (lateness IN ('unseen', 'ignored')),
        spent_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE idempotency_keys (
        id INTEGER PRIMARY KEY,
        caller TEXT NOT NULL,
        name TEXT NOT NULL CHECK (name <> ''),
        request_sha256 BLOB NOT NULL CHECK (length(request_sha256) = 32),
        authorization_id INTEGER NOT NULL REFERENCES spend_authorizations,
        used_at_ms INTEGER NOT NULL,
        UNIQUE (caller, name)
      ) STRICT
      """,
    ])
}
