extension Migration {
  /// What we state ourselves, and what follows from everything: owners, answers, money, news.
  static let answers = Migration(
    "answers",
    [
      """
      CREATE TABLE links (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL UNIQUE REFERENCES chains,
        customer_id INTEGER NOT NULL REFERENCES customers,
        stated_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE transfers (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL UNIQUE REFERENCES chains,
        customer_id INTEGER NOT NULL REFERENCES customers,
        stated_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE app_transaction_owners (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        app_transaction_id TEXT NOT NULL CHECK (app_transaction_id <> ''),
        customer_id INTEGER NOT NULL REFERENCES customers,
        stated_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, app_transaction_id)
      ) STRICT
      """,
      """
      CREATE TABLE registered_tokens (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        account_token TEXT NOT NULL CHECK (account_token = lower(account_token)),
        customer_id INTEGER NOT NULL REFERENCES customers,
        stated_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, account_token)
      ) STRICT
      """,
      """
      CREATE TABLE manual_grants (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        entitlement TEXT NOT NULL CHECK (entitlement <> ''),
        begins_at_ms INTEGER NOT NULL,
        ends_at_ms INTEGER,
        stated_at_ms INTEGER NOT NULL,
        revoked_at_ms INTEGER
      ) STRICT
      """,
      """
      CREATE INDEX manual_grants_by_customer ON manual_grants (customer_id)
      """,
      """
      CREATE TABLE decisions (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers,
        entitlement TEXT NOT NULL CHECK (entitlement <> ''),
        reason TEXT NOT NULL CHECK (reason <> ''),
        until_ms INTEGER,
        original_transaction_id TEXT,
        transaction_id TEXT,
        product_id TEXT,
        ownership TEXT,
        purchased_at_ms INTEGER,
        expires_at_ms INTEGER,
        revoked_at_ms INTEGER,
        revocation_class TEXT,
        revoked_percent_milliunits INTEGER CHECK (revoked_percent_milliunits BETWEEN 0 AND 100000),
        status INTEGER,
        stated_at_ms INTEGER,
        grant_name TEXT,
        version INTEGER NOT NULL CHECK (version >= 1),
        UNIQUE (customer_id, entitlement)
      ) STRICT
      """,
      """
      CREATE TABLE postings (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL,
        revoked_at_ms INTEGER NOT NULL,
        amount_milliunits INTEGER NOT NULL CHECK (amount_milliunits <> 0),
        currency TEXT NOT NULL,
        fact_id INTEGER REFERENCES facts,
        posted_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE INDEX postings_by_chain ON postings (chain_id)
      """,
      """
      CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        customer_id INTEGER REFERENCES customers,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        version INTEGER NOT NULL CHECK (version >= 0),
        type TEXT NOT NULL CHECK (type <> ''),
        fact_id INTEGER REFERENCES facts,
        payload TEXT NOT NULL CHECK (payload LIKE '{%}'),
        happened_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE INDEX events_by_customer ON events (customer_id) WHERE customer_id IS NOT NULL
      """,
    ])
}
