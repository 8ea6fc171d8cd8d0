extension Migration {
  /// What of a payout its payee has: with refunds of a part, what is to be paid or got back is a difference.
  static let payoutParts = Migration(
    "payoutParts",
    [
      """
      CREATE TABLE payouts_with_parts (
        id INTEGER PRIMARY KEY,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        name TEXT NOT NULL CHECK (name <> ''),
        customer_id INTEGER REFERENCES customers,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
        payee TEXT NOT NULL CHECK (payee <> ''),
        cost_microunits INTEGER NOT NULL CHECK (cost_microunits >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        state TEXT NOT NULL
          CHECK (state IN ('held', 'payable', 'paid', 'withheld', 'clawBack', 'recovered')),
        stated_at_ms INTEGER NOT NULL,
        release_at_ms INTEGER NOT NULL,
        paid_at_ms INTEGER,
        recovered_at_ms INTEGER,
        revoked_at_ms INTEGER,
        refunded_microunits INTEGER NOT NULL
          CHECK (refunded_microunits >= 0 AND refunded_microunits <= cost_microunits),
        paid_microunits INTEGER NOT NULL
          CHECK (paid_microunits >= 0 AND paid_microunits <= cost_microunits),
        UNIQUE (scope_id, name),
        CHECK ((state = 'clawBack') = (paid_microunits > cost_microunits - refunded_microunits)),
        CHECK (state NOT IN ('paid', 'recovered')
          OR paid_microunits = cost_microunits - refunded_microunits),
        CHECK (state NOT IN ('paid', 'clawBack', 'recovered') OR paid_at_ms IS NOT NULL),
        CHECK (state NOT IN ('withheld', 'clawBack') OR revoked_at_ms IS NOT NULL)
      ) STRICT
      """,
      """
      INSERT INTO payouts_with_parts (id, scope_id, name, customer_id, chain_id, transaction_id,
        payee, cost_microunits, currency, state, stated_at_ms, release_at_ms, paid_at_ms,
        recovered_at_ms, revoked_at_ms, refunded_microunits, paid_microunits)
      SELECT id, scope_id, name, customer_id, chain_id, transaction_id, payee, cost_microunits,
        currency, state, stated_at_ms, release_at_ms, paid_at_ms, recovered_at_ms, revoked_at_ms,
        claw_back_microunits,
        CASE state WHEN 'clawBack' THEN cost_microunits WHEN 'paid' THEN cost_microunits - claw_back_microunits
          WHEN 'recovered' THEN cost_microunits - claw_back_microunits ELSE 0 END
      FROM payouts
      """,
      "DROP TABLE payouts",
      "ALTER TABLE payouts_with_parts RENAME TO payouts",
      "CREATE INDEX payouts_by_release ON payouts (release_at_ms) WHERE state = 'held'",
      "CREATE INDEX payouts_by_chain ON payouts (chain_id, transaction_id)",
      "CREATE INDEX payouts_by_scope ON payouts (scope_id, state)",
    ])
}
