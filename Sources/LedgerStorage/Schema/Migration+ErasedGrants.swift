extension Migration {
  /// Grants whose customers were erased: the names alone, so that none is given again by a repeat.
  static let erasedGrants = Migration(
    "erasedGrants",
    ["CREATE TABLE erased_grants (name TEXT PRIMARY KEY CHECK (name <> '')) STRICT"])
}
