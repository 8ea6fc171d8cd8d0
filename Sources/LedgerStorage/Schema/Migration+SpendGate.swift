extension Migration {
  /// The spend gate as a whole: units, exact cost, what each spend is charged to, credits and debts.
  ///
  /// What the first gate kept goes on under the new names, in microunits.
  static let spendGate = Migration(
    "spendGate", holdTables + lotTables + spendTables + debtTables + takenOver)

  private static let holdTables = [
    """
    CREATE TABLE authorizations (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (name <> ''),
      customer_id INTEGER NOT NULL REFERENCES customers,
      scope_id INTEGER NOT NULL REFERENCES scopes,
      entitlement TEXT CHECK (entitlement <> ''),
      credit_unit TEXT CHECK (credit_unit <> ''),
      credits INTEGER NOT NULL CHECK (credits >= 0),
      kind TEXT NOT NULL CHECK (kind <> ''),
      unit TEXT NOT NULL CHECK (unit <> ''),
      units INTEGER NOT NULL CHECK (units >= 0),
      cost_microunits INTEGER NOT NULL CHECK (cost_microunits >= 0),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      state TEXT NOT NULL
        CHECK (state IN ('denied', 'open', 'settled', 'released', 'lapsed', 'revoked')),
      reason TEXT NOT NULL CHECK (reason <> ''),
      version INTEGER NOT NULL CHECK (version >= 0),
      chain_id INTEGER REFERENCES chains,
      transaction_id TEXT,
      is_degraded INTEGER NOT NULL CHECK (is_degraded IN (0, 1)),
      decided_at_ms INTEGER NOT NULL,
      lapses_at_ms INTEGER,
      ended_at_ms INTEGER,
      CHECK (entitlement IS NOT NULL OR credit_unit IS NOT NULL),
      CHECK (credits = 0 OR credit_unit IS NOT NULL),
      CHECK ((state = 'denied') = (lapses_at_ms IS NULL)),
      CHECK (lapses_at_ms >= decided_at_ms),
      CHECK ((state IN ('denied', 'open')) = (ended_at_ms IS NULL))
    ) STRICT
    """,
    "CREATE INDEX holds_by_lapse ON authorizations (lapses_at_ms) WHERE state = 'open'",
    "CREATE INDEX holds_by_customer ON authorizations (customer_id) WHERE state = 'open'",
    "CREATE INDEX holds_by_chain ON authorizations (chain_id) WHERE state = 'open'",
    "CREATE INDEX holds_by_scope ON authorizations (scope_id) WHERE state = 'open'",
    """
    CREATE TABLE spend_kinds (
      id INTEGER PRIMARY KEY,
      scope_id INTEGER NOT NULL REFERENCES scopes,
      kind TEXT NOT NULL CHECK (kind <> ''),
      unit TEXT NOT NULL CHECK (unit <> ''),
      UNIQUE (scope_id, kind)
    ) STRICT
    """,
    """
    CREATE TABLE request_keys (
      id INTEGER PRIMARY KEY,
      caller TEXT NOT NULL,
      name TEXT NOT NULL CHECK (name <> ''),
      request_sha256 BLOB NOT NULL CHECK (length(request_sha256) = 32),
      authorization_id INTEGER REFERENCES authorizations,
      used_at_ms INTEGER NOT NULL,
      UNIQUE (caller, name)
    ) STRICT
    """,
  ]

  private static let lotTables = [
    """
    CREATE TABLE credit_lots (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains,
      transaction_id TEXT NOT NULL CHECK (transaction_id <> ''),
      customer_id INTEGER REFERENCES customers,
      product_id TEXT NOT NULL,
      unit TEXT NOT NULL CHECK (unit <> ''),
      purchased_at_ms INTEGER NOT NULL,
      filled INTEGER NOT NULL CHECK (filled >= 0),
      taken INTEGER NOT NULL CHECK (taken >= 0),
      held INTEGER NOT NULL CHECK (held >= 0),
      spent INTEGER NOT NULL CHECK (spent >= 0),
      paid INTEGER NOT NULL CHECK (paid >= 0),
      revoked_at_ms INTEGER,
      revoked_percent_milliunits INTEGER
        CHECK (revoked_percent_milliunits BETWEEN 0 AND 100000),
      UNIQUE (chain_id, transaction_id),
      CHECK (taken + held + spent + paid <= filled),
      CHECK ((revoked_at_ms IS NULL) = (revoked_percent_milliunits IS NULL)),
      CHECK (taken = 0 OR revoked_at_ms IS NOT NULL)
    ) STRICT
    """,
    """
    CREATE INDEX credit_lots_by_customer ON credit_lots (customer_id, unit, purchased_at_ms)
    """,
    """
    CREATE TABLE hold_lots (
      id INTEGER PRIMARY KEY,
      authorization_id INTEGER NOT NULL REFERENCES authorizations,
      lot_id INTEGER NOT NULL REFERENCES credit_lots,
      credits INTEGER NOT NULL CHECK (credits > 0),
      UNIQUE (authorization_id, lot_id)
    ) STRICT
    """,
    "CREATE INDEX hold_lots_by_lot ON hold_lots (lot_id)",
  ]

  private static let spendTables = [
    """
    CREATE TABLE spends (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (name <> ''),
      customer_id INTEGER NOT NULL REFERENCES customers,
      scope_id INTEGER NOT NULL REFERENCES scopes,
      authorization_id INTEGER UNIQUE REFERENCES authorizations,
      request_key_id INTEGER REFERENCES request_keys,
      entitlement TEXT CHECK (entitlement <> ''),
      kind TEXT NOT NULL CHECK (kind <> ''),
      unit TEXT NOT NULL CHECK (unit <> ''),
      units INTEGER NOT NULL CHECK (units >= 0),
      cost_microunits INTEGER NOT NULL CHECK (cost_microunits >= 0),
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      credit_unit TEXT CHECK (credit_unit <> ''),
      credits INTEGER NOT NULL CHECK (credits >= 0),
      uncovered_credits INTEGER NOT NULL CHECK (uncovered_credits BETWEEN 0 AND credits),
      above_hold INTEGER NOT NULL CHECK (above_hold IN (0, 1)),
      is_degraded INTEGER NOT NULL CHECK (is_degraded IN (0, 1)),
      spent_at_ms INTEGER NOT NULL,
      recorded_at_ms INTEGER NOT NULL,
      CHECK (credits = 0 OR credit_unit IS NOT NULL)
    ) STRICT
    """,
    "CREATE INDEX spends_by_customer ON spends (customer_id)",
    "CREATE INDEX spends_by_scope ON spends (scope_id, spent_at_ms)",
    "CREATE INDEX spends_by_request ON spends (request_key_id) WHERE request_key_id IS NOT NULL",
    """
    CREATE TABLE spend_charges (
      id INTEGER PRIMARY KEY,
      spend_id INTEGER NOT NULL REFERENCES spends,
      place INTEGER NOT NULL CHECK (place >= 0),
      chain_id INTEGER REFERENCES chains,
      transaction_id TEXT,
      lot_id INTEGER REFERENCES credit_lots,
      cost_microunits INTEGER NOT NULL CHECK (cost_microunits >= 0),
      credits INTEGER NOT NULL CHECK (credits >= 0),
      lateness TEXT CHECK (lateness IN ('unseen', 'ignored')),
      UNIQUE (spend_id, place),
      CHECK (credits = 0 OR lot_id IS NOT NULL)
    ) STRICT
    """,
    "CREATE INDEX spend_charges_by_chain ON spend_charges (chain_id, transaction_id)",
  ]

  private static let debtTables = [
    """
    CREATE TABLE credit_debts (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE CHECK (name <> ''),
      customer_id INTEGER NOT NULL REFERENCES customers,
      unit TEXT NOT NULL CHECK (unit <> ''),
      lot_id INTEGER REFERENCES credit_lots,
      revoked_at_ms INTEGER,
      spend_id INTEGER REFERENCES spends,
      treatment TEXT NOT NULL CHECK (treatment IN ('debt', 'freeze', 'writeOff')),
      credits INTEGER NOT NULL CHECK (credits > 0),
      paid INTEGER NOT NULL CHECK (paid >= 0),
      state TEXT NOT NULL CHECK (state IN ('standing', 'undone', 'forgiven')),
      opened_at_ms INTEGER NOT NULL,
      ended_at_ms INTEGER,
      note TEXT,
      CHECK (paid <= credits),
      CHECK (paid = 0 OR treatment = 'debt'),
      CHECK ((lot_id IS NULL) = (revoked_at_ms IS NULL)),
      CHECK ((lot_id IS NULL) <> (spend_id IS NULL)),
      CHECK ((state = 'standing') = (ended_at_ms IS NULL))
    ) STRICT
    """,
    "CREATE INDEX credit_debts_by_customer ON credit_debts (customer_id, unit)",
    """
    CREATE UNIQUE INDEX standing_debts ON credit_debts (lot_id)
      WHERE state <> 'undone' AND lot_id IS NOT NULL
    """,
    """
    CREATE TABLE debt_payments (
      id INTEGER PRIMARY KEY,
      debt_id INTEGER NOT NULL REFERENCES credit_debts,
      lot_id INTEGER NOT NULL REFERENCES credit_lots,
      credits INTEGER NOT NULL CHECK (credits > 0),
      UNIQUE (debt_id, lot_id)
    ) STRICT
    """,
    "CREATE INDEX debt_payments_by_lot ON debt_payments (lot_id)",
    """
    CREATE TABLE credit_entries (
      id INTEGER PRIMARY KEY,
      customer_id INTEGER NOT NULL REFERENCES customers,
      unit TEXT NOT NULL CHECK (unit <> ''),
      kind TEXT NOT NULL CHECK (kind <> ''),
      credits INTEGER NOT NULL CHECK (credits > 0),
      balance_change INTEGER NOT NULL,
      lot_id INTEGER REFERENCES credit_lots,
      debt_id INTEGER REFERENCES credit_debts,
      spend_id INTEGER REFERENCES spends,
      revoked_at_ms INTEGER,
      fact_id INTEGER REFERENCES facts,
      written_at_ms INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX credit_entries_by_customer ON credit_entries (customer_id, unit)",
  ]

  private static let takenOver = [
    """
    INSERT INTO authorizations (id, name, customer_id, scope_id, entitlement, credits, kind, unit,
      units, cost_microunits, currency, state, reason, version, chain_id, transaction_id,
      is_degraded, decided_at_ms, lapses_at_ms, ended_at_ms)
    SELECT spends.id, spends.name, spends.customer_id, customers.scope_id, spends.entitlement, 0,
      'other', 'request', 1, spends.amount_milliunits * 1000, spends.currency, spends.state,
      spends.reason, spends.version, spends.chain_id, spends.transaction_id, 0,
      spends.decided_at_ms, spends.lapses_at_ms,
      CASE WHEN spends.state IN ('denied', 'open') THEN NULL ELSE spends.lapses_at_ms END
    FROM spend_authorizations AS spends JOIN customers ON customers.id = spends.customer_id
    """,
    """
    INSERT INTO request_keys (caller, name, request_sha256, authorization_id, used_at_ms)
    SELECT caller, name, request_sha256, authorization_id, used_at_ms FROM idempotency_keys
    """,
    """
    INSERT INTO spends (id, name, customer_id, scope_id, authorization_id, entitlement, kind, unit,
      units, cost_microunits, currency, credits, uncovered_credits, above_hold, is_degraded,
      spent_at_ms, recorded_at_ms)
    SELECT records.id, 'spend_' || holds.name, records.customer_id, holds.scope_id,
      records.authorization_id, holds.entitlement, 'other', 'request', 1,
      records.amount_milliunits * 1000, records.currency, 0, 0, records.above_hold, 0,
      records.spent_at_ms, records.spent_at_ms
    FROM spend_records AS records JOIN authorizations AS holds
      ON holds.id = records.authorization_id
    """,
    """
    INSERT INTO spend_charges (spend_id, place, chain_id, transaction_id, cost_microunits, credits,
      lateness)
    SELECT records.id, 0, holds.chain_id, records.transaction_id, records.amount_milliunits * 1000,
      0, records.lateness
    FROM spend_records AS records JOIN authorizations AS holds
      ON holds.id = records.authorization_id
    """,
    """
    INSERT INTO spend_kinds (scope_id, kind, unit)
    SELECT DISTINCT scope_id, kind, unit FROM authorizations
    """,
    "DROP TABLE idempotency_keys",
    "DROP TABLE spend_records",
    "DROP TABLE spend_authorizations",
  ]
}
