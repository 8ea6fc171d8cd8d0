extension Migration {
  /// State 1 to 4 of every chain, and who it belongs to.
  static let state = Migration(
    "state",
    [
      """
      CREATE TABLE transactions (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        first_signed_at_ms INTEGER NOT NULL,
        is_contested INTEGER NOT NULL CHECK (is_contested IN (0, 1)),
        \(transactionColumns),
        UNIQUE (chain_id, transaction_id),
        CHECK (first_signed_at_ms <= signed_at_ms)
      ) STRICT
      """,
      """
      CREATE INDEX successions ON transactions (previous_original_transaction_id)
        WHERE previous_original_transaction_id IS NOT NULL
      """,
      """
      CREATE INDEX transactions_by_token ON transactions (account_token)
        WHERE account_token IS NOT NULL
      """,
      """
      CREATE INDEX transactions_by_app_transaction ON transactions (app_transaction_id)
        WHERE app_transaction_id IS NOT NULL
      """,
      """
      CREATE TABLE api_copies (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        role TEXT NOT NULL CHECK (role IN ('newest', 'newestClean')),
        \(transactionColumns),
        UNIQUE (chain_id, transaction_id, role),
        CHECK (role = 'newest' OR revoked_at_ms IS NULL)
      ) STRICT
      """,
      """
      CREATE TABLE revocations (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        refund_seen INTEGER NOT NULL CHECK (refund_seen IN (0, 1)),
        revoke_seen INTEGER NOT NULL CHECK (revoke_seen IN (0, 1)),
        first_shown_at_ms INTEGER NOT NULL,
        last_shown_by_api_at_ms INTEGER,
        \(transactionColumns),
        UNIQUE (chain_id, transaction_id, revoked_at_ms),
        CHECK (revoked_at_ms IS NOT NULL)
      ) STRICT
      """,
      """
      CREATE TABLE renewals (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL UNIQUE REFERENCES chains,
        \(renewalColumns),
        CHECK (renewal_signed_at_ms IS NOT NULL)
      ) STRICT
      """,
      """
      CREATE TABLE statuses (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        name TEXT NOT NULL CHECK (name <> ''),
        source TEXT NOT NULL CHECK (source IN ('notification', 'api', 'kit')),
        status INTEGER NOT NULL,
        stated_at_ms INTEGER NOT NULL,
        transaction_id TEXT,
        revoked_at_ms INTEGER,
        \(renewalColumns),
        UNIQUE (chain_id, name)
      ) STRICT
      """,
      """
      CREATE TABLE reversals (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL,
        notification_uuid TEXT NOT NULL,
        reversed_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id, notification_uuid)
      ) STRICT
      """,
      """
      CREATE TABLE undated_revocations (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL,
        notification_uuid TEXT NOT NULL,
        stated_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id, notification_uuid)
      ) STRICT
      """,
    ])

  /// The columns of one signed copy of a transaction.
  private static let transactionColumns = """
    transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
    previous_original_transaction_id TEXT,
    product_id TEXT NOT NULL,
    subscription_group TEXT,
    type TEXT,
    ownership TEXT,
    purchased_at_ms INTEGER NOT NULL,
    originally_purchased_at_ms INTEGER,
    expires_at_ms INTEGER,
    signed_at_ms INTEGER NOT NULL,
    revoked_at_ms INTEGER,
    revocation_reason INTEGER,
    revocation_type TEXT,
    revoked_percent_milliunits INTEGER CHECK (revoked_percent_milliunits BETWEEN 0 AND 100000),
    is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
    quantity INTEGER NOT NULL CHECK (quantity >= 1),
    price_milliunits INTEGER,
    currency TEXT,
    commerce_refund_milliunits INTEGER,
    commerce_refund_currency TEXT,
    commerce_refunded_at_ms INTEGER,
    account_token TEXT,
    app_transaction_id TEXT,
    storefront TEXT,
    offer_type INTEGER,
    CHECK ((price_milliunits IS NULL) = (currency IS NULL)),
    CHECK ((commerce_refund_milliunits IS NULL) = (commerce_refund_currency IS NULL))
    """

  /// The columns of one signed copy of renewal information; all empty where there is none.
  private static let renewalColumns = """
    renewal_product_id TEXT,
    auto_renew_product_id TEXT,
    auto_renew_status INTEGER,
    expiration_intent INTEGER,
    in_billing_retry INTEGER CHECK (in_billing_retry IN (0, 1)),
    grace_ends_at_ms INTEGER,
    renews_at_ms INTEGER,
    renewal_signed_at_ms INTEGER,
    renewal_account_token TEXT,
    renewal_app_transaction_id TEXT
    """
}
