extension Migration {
  /// How far the lots are filled of purchases that a changed catalog gives an amount; no row when all are.
  ///
  /// A ledger of before looks once at all its purchases.
  static let lotFills = Migration(
    "lotFills",
    [
      """
      CREATE TABLE lot_fills (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        after_chain_id INTEGER NOT NULL CHECK (after_chain_id >= 0)
      ) STRICT
      """,
      "INSERT INTO lot_fills (id, after_chain_id) VALUES (1, 0)",
    ])
}
