extension Migration {
  /// What an event is called, and what caused it.
  static let eventCauses = Migration(
    "eventCauses",
    [
      """
      ALTER TABLE events ADD COLUMN mark TEXT NOT NULL DEFAULT '0000000000000000'
        CHECK (length(mark) = 16)
      """,
      """
      ALTER TABLE events ADD COLUMN causes TEXT NOT NULL DEFAULT '[]' CHECK (causes LIKE '[%]')
      """,
    ])
}
