extension Migration {
  /// What is asked of Apple, how far each walk has come, and what was missed.
  static let reconciliation = Migration(
    "reconciliation",
    [
      """
      CREATE TABLE leases (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        holder TEXT NOT NULL CHECK (holder <> ''),
        until_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE walks (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        kind TEXT NOT NULL CHECK (kind IN ('notifications', 'failures', 'refunds', 'rest')),
        begun_at_ms INTEGER,
        from_ms INTEGER,
        until_ms INTEGER,
        page TEXT,
        place INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0),
        steps INTEGER NOT NULL DEFAULT 0 CHECK (steps >= 0),
        covered_from_ms INTEGER,
        covered_until_ms INTEGER,
        last_begun_at_ms INTEGER,
        last_finished_at_ms INTEGER,
        last_steps INTEGER,
        UNIQUE (scope_id, kind),
        CHECK (page IS NULL OR begun_at_ms IS NOT NULL)
      ) STRICT
      """,
      """
      CREATE TABLE chain_questions (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL UNIQUE REFERENCES chains,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        rank INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 4),
        due_at_ms INTEGER NOT NULL,
        again_at_ms INTEGER,
        asked_at_ms INTEGER,
        tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
        outcome TEXT CHECK (outcome IN ('answered', 'notFound', 'failed'))
      ) STRICT
      """,
      """
      CREATE INDEX due_chain_questions ON chain_questions (scope_id, rank, due_at_ms)
      """,
      """
      CREATE TABLE refund_revisions (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        asked_id TEXT NOT NULL CHECK (asked_id <> ''),
        revision TEXT,
        asked_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, asked_id)
      ) STRICT
      """,
      """
      CREATE TABLE notification_gaps (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        notification_uuid TEXT NOT NULL CHECK (notification_uuid <> ''),
        type TEXT,
        subtype TEXT,
        signed_at_ms INTEGER,
        original_transaction_id TEXT,
        transaction_id TEXT,
        reason TEXT NOT NULL CHECK (reason IN ('outage', 'refused', 'quarantined', 'neverReached',
          'beforeInstallation')),
        detail TEXT,
        fact_id INTEGER REFERENCES facts,
        found_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, notification_uuid)
      ) STRICT
      """,
      """
      CREATE TABLE gap_attempts (
        id INTEGER PRIMARY KEY,
        gap_id INTEGER NOT NULL REFERENCES notification_gaps,
        place INTEGER NOT NULL CHECK (place >= 0),
        attempted_at_ms INTEGER,
        result TEXT,
        UNIQUE (gap_id, place)
      ) STRICT
      """,
      """
      CREATE TABLE imports (
        id INTEGER PRIMARY KEY,
        file_sha256 BLOB NOT NULL UNIQUE CHECK (length(file_sha256) = 32),
        name TEXT NOT NULL,
        begun_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE import_rows (
        id INTEGER PRIMARY KEY,
        import_id INTEGER NOT NULL REFERENCES imports,
        line INTEGER NOT NULL CHECK (line >= 1),
        transaction_id TEXT NOT NULL,
        customer TEXT NOT NULL,
        bundle_id TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'refused')),
        reason TEXT,
        environment TEXT,
        revision TEXT,
        tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
        due_at_ms INTEGER NOT NULL,
        UNIQUE (import_id, line),
        CHECK ((state = 'refused') = (reason IS NOT NULL))
      ) STRICT
      """,
      """
      CREATE INDEX waiting_import_rows ON import_rows (bundle_id, due_at_ms)
        WHERE state = 'waiting'
      """,
      """
      CREATE INDEX notifications_of_no_chain ON facts (id)
        WHERE kind = 'notification' AND chain_id IS NULL
      """,
      """
      CREATE INDEX shared_transactions ON transactions (product_id)
        WHERE ownership = 'FAMILY_SHARED'
      """,
    ])
}
