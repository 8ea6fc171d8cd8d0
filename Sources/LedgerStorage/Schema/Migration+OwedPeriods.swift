extension Migration {
  /// Several periods of a running cost in one record, where they are charged alike.
  static let owedPeriods = Migration(
    "owedPeriods",
    [
      "ALTER TABLE spends ADD COLUMN periods INTEGER NOT NULL DEFAULT 1 CHECK (periods >= 1)",
      """
      ALTER TABLE spends ADD COLUMN period_ms INTEGER
        CHECK (period_ms > 0 OR (period_ms IS NULL AND periods = 1))
      """,
    ])
}
