extension Migration {
  /// What no version may be below, since a ledger that this one was restored from may have told it.
  static let versionFloor = Migration(
    "versionFloor",
    [
      """
      ALTER TABLE store_identity ADD COLUMN version_floor INTEGER NOT NULL DEFAULT 0
        CHECK (version_floor >= 0)
      """
    ])
}
