extension Migration {
  /// Tells a repetition of dead letters from one of a span of the past: what comes next for a customer
  /// is another dead letter.
  static let deadLetterTracks = Migration(
    "dead letter tracks",
    [
      """
      ALTER TABLE delivery_tracks ADD COLUMN of_dead_letters INTEGER NOT NULL DEFAULT 0
      CHECK (of_dead_letters IN (0, 1))
      """
    ])
}
