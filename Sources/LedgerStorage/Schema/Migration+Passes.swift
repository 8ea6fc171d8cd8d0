extension Migration {
  /// What was to be compared with Apple once and is not done.
  static let passes = Migration(
    "passes",
    [
      """
      CREATE TABLE passes (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL UNIQUE REFERENCES scopes,
        requested_at_ms INTEGER NOT NULL
      ) STRICT
      """
    ])
}
