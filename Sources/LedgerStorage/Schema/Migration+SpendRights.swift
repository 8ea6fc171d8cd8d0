extension Migration {
  /// What gave the right that an answer of the gate rests on, beside the lots that it holds credits of.
  ///
  /// Of an older answer that held credits it is not known: what the customer has decides.
  static let spendRights = Migration(
    "spendRights",
    [
      "ALTER TABLE authorizations ADD COLUMN right_chain_id INTEGER REFERENCES chains",
      "ALTER TABLE authorizations ADD COLUMN right_transaction_id TEXT",
      "ALTER TABLE authorizations ADD COLUMN grant_id TEXT CHECK (grant_id <> '')",
      """
      UPDATE authorizations SET right_chain_id = chain_id, right_transaction_id = transaction_id
      WHERE entitlement IS NOT NULL AND credits = 0
      """,
      """
      CREATE INDEX holds_by_right ON authorizations (right_chain_id) WHERE state = 'open'
      """,
    ])
}
