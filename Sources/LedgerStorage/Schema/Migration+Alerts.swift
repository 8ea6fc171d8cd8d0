extension Migration {
  /// What a person should look at, each once.
  static let alerts = Migration(
    "alerts",
    [
      """
      CREATE TABLE alerts (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        kind TEXT NOT NULL CHECK (kind <> ''),
        field TEXT NOT NULL CHECK (field <> ''),
        value TEXT NOT NULL,
        fact_id INTEGER REFERENCES facts,
        raised_at_ms INTEGER NOT NULL,
        UNIQUE (scope_id, kind, field, value)
      ) STRICT
      """
    ])
}
