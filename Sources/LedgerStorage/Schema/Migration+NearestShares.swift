extension Migration {
  /// The shares of a product in the order of their ends: those nearest to a refund are found among any
  /// number.
  static let nearestShares = Migration(
    "nearestShares",
    [
      "DROP INDEX shared_transactions",
      """
      CREATE INDEX shared_transactions
        ON transactions (product_id, coalesce(expires_at_ms, purchased_at_ms))
        WHERE ownership = 'FAMILY_SHARED'
      """,
    ])
}
