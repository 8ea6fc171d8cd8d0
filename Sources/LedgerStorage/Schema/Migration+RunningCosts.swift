extension Migration {
  /// Costs that recur, payouts that wait, and when each revocation became known.
  static let runningCosts = Migration(
    "runningCosts",
    [
      """
      ALTER TABLE credit_lots ADD COLUMN is_refund INTEGER CHECK (is_refund IN (0, 1))
      """,
      """
      CREATE TABLE revocation_notices (
        id INTEGER PRIMARY KEY,
        chain_id INTEGER NOT NULL REFERENCES chains,
        transaction_id TEXT NOT NULL,
        revoked_at_ms INTEGER NOT NULL,
        known_at_ms INTEGER NOT NULL,
        UNIQUE (chain_id, transaction_id, revoked_at_ms)
      ) STRICT
      """,
      """
      CREATE TABLE running_costs (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers,
        scope_id INTEGER NOT NULL REFERENCES scopes,
        name TEXT NOT NULL CHECK (name <> ''),
        entitlement TEXT CHECK (entitlement <> ''),
        chain_id INTEGER REFERENCES chains,
        kind TEXT NOT NULL CHECK (kind <> ''),
        unit TEXT NOT NULL CHECK (unit <> ''),
        units INTEGER NOT NULL CHECK (units >= 0),
        cost_microunits INTEGER NOT NULL CHECK (cost_microunits >= 0),
        currency TEXT NOT NULL CHECK (length(currency) = 3),
        period_ms INTEGER NOT NULL CHECK (period_ms > 0),
        on_revocation TEXT NOT NULL CHECK (on_revocation IN ('stop', 'flag')),
        state TEXT NOT NULL CHECK (state IN ('running', 'flagged', 'stopped', 'ended')),
        begun_at_ms INTEGER NOT NULL,
        accrued_until_ms INTEGER NOT NULL CHECK (accrued_until_ms >= begun_at_ms),
        due_at_ms INTEGER,
        ended_at_ms INTEGER,
        UNIQUE (customer_id, name),
        CHECK ((entitlement IS NULL) <> (chain_id IS NULL)),
        CHECK ((state IN ('running', 'flagged')) = (due_at_ms IS NOT NULL)),
        CHECK ((due_at_ms IS NULL) = (ended_at_ms IS NOT NULL))
      ) STRICT
      """,
      """
      CREATE INDEX running_costs_by_due ON running_costs (due_at_ms) WHERE due_at_ms IS NOT NULL
      """,
      """
      ALTER TABLE spends ADD COLUMN running_cost_id INTEGER REFERENCES running_costs
      """,
      """
      CREATE TABLE payouts (
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
        claw_back_microunits INTEGER NOT NULL CHECK (claw_back_microunits >= 0),
        UNIQUE (scope_id, name),
        CHECK (claw_back_microunits <= cost_microunits),
        CHECK ((state IN ('paid', 'clawBack', 'recovered')) = (paid_at_ms IS NOT NULL)),
        CHECK (state NOT IN ('withheld', 'clawBack') OR revoked_at_ms IS NOT NULL)
      ) STRICT
      """,
      "CREATE INDEX payouts_by_release ON payouts (release_at_ms) WHERE state = 'held'",
      "CREATE INDEX payouts_by_chain ON payouts (chain_id, transaction_id)",
      "CREATE INDEX payouts_by_scope ON payouts (scope_id, state)",
    ])
}
