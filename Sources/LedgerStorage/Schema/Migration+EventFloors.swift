extension Migration {
  /// Up to where events are no longer kept.
  static let eventFloors = Migration(
    "eventFloors",
    [
      """
      CREATE TABLE event_floors (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        position INTEGER NOT NULL CHECK (position >= 1)
      ) STRICT
      """
    ])
}
