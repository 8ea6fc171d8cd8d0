extension Migration {
  /// Which lines of imports name a transaction.
  static let importLines = Migration(
    "import-lines",
    [
      "CREATE INDEX import_rows_by_transaction ON import_rows (transaction_id, import_id)"
    ])
}
