extension Migration {
  /// What Apple asks before it decides on a refund, what we answered, and who agreed to that.
  static let cases = Migration(
    "cases",
    [
      """
      CREATE TABLE consents (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL UNIQUE REFERENCES customers,
        is_given INTEGER NOT NULL CHECK (is_given IN (0, 1)),
        recorded_by TEXT NOT NULL CHECK (recorded_by <> ''),
        note TEXT,
        stated_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE refund_cases (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        product_id TEXT NOT NULL,
        opened_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, transaction_id)
      ) STRICT
      """,
      """
      CREATE INDEX refund_cases_by_chain ON refund_cases (chain_id)
      """,
      """
      CREATE TABLE consumption_requests (
        id INTEGER PRIMARY KEY,
        case_id INTEGER NOT NULL REFERENCES refund_cases,
        notification_uuid TEXT NOT NULL CHECK (notification_uuid <> ''),
        reason TEXT,
        is_advanced_commerce INTEGER NOT NULL CHECK (is_advanced_commerce IN (0, 1)),
        asked_at_ms INTEGER NOT NULL,
        received_at_ms INTEGER NOT NULL,
        progress TEXT NOT NULL
          CHECK (progress IN ('waiting', 'withheld', 'answered', 'refused', 'missed', 'moot')),
        withheld_because TEXT,
        due_at_ms INTEGER,
        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        attempted_at_ms INTEGER,
        answer_version INTEGER CHECK (answer_version IN (1, 2)),
        answer_body TEXT,
        answer_status INTEGER,
        error_code TEXT,
        error_text TEXT,
        UNIQUE (case_id, notification_uuid),
        CHECK ((progress = 'withheld') = (withheld_because IS NOT NULL)),
        CHECK (due_at_ms IS NULL OR progress IN ('waiting', 'withheld')),
        CHECK ((attempts = 0) = (attempted_at_ms IS NULL))
      ) STRICT
      """,
      """
      CREATE INDEX due_consumption_requests ON consumption_requests (due_at_ms)
        WHERE due_at_ms IS NOT NULL
      """,
      """
      CREATE TABLE refund_verdicts (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        source TEXT NOT NULL CHECK (source <> ''),
        kind TEXT NOT NULL CHECK (kind IN ('refunded', 'declined', 'reversed')),
        stated_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, transaction_id, source)
      ) STRICT
      """,
      """
      CREATE INDEX spend_by_transaction ON spend_records (transaction_id)
        WHERE transaction_id IS NOT NULL
      """,
    ])
}
