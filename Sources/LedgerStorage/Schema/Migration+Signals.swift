extension Migration {
  /// When each channel first knew of a revocation, and which version of the app a purchase met
  /// first, and what Apple declined to refund.
  static let signals = Migration(
    "signals",
    [
      """
      CREATE TABLE revocation_sightings (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        revoked_at_ms INTEGER NOT NULL,
        channel TEXT NOT NULL
          CHECK (channel IN ('device', 'notification', 'history', 'poll', 'import')),
        first_received_at_ms INTEGER NOT NULL,
        first_signed_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id, revoked_at_ms, channel)
      ) STRICT
      """,
      """
      CREATE TABLE reported_versions (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        app_version TEXT NOT NULL CHECK (app_version <> ''),
        reported_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id)
      ) STRICT
      """,
      """
      CREATE TABLE declines (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        notification_uuid TEXT NOT NULL CHECK (notification_uuid <> ''),
        declined_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id, notification_uuid)
      ) STRICT
      """,
      """
      CREATE INDEX revoked_holds ON authorizations (chain_id, transaction_id)
        WHERE state = 'revoked'
      """,
    ])
}
