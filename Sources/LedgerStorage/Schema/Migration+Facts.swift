extension Migration {
  /// What reached us, as it was signed; never edited.
  static let facts = Migration(
    "facts",
    [
      """
      CREATE TABLE header_segments (
        id INTEGER PRIMARY KEY,
        sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
        segment BLOB NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE facts (
        id INTEGER PRIMARY KEY,
        sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
        kind TEXT NOT NULL CHECK (kind IN ('notification', 'transaction', 'renewalInfo',
          'appTransaction', 'reportedStatus', 'own')),
        effect TEXT NOT NULL CHECK (effect IN ('applied', 'held', 'opaque', 'part')),
        reason TEXT,
        scope_id INTEGER REFERENCES scopes,
        chain_id INTEGER REFERENCES chains,
        customer_id INTEGER REFERENCES customers,
        header_id INTEGER REFERENCES header_segments,
        payload BLOB NOT NULL,
        signature BLOB,
        dated_at_ms INTEGER,
        judged_at_ms INTEGER NOT NULL,
        CHECK ((header_id IS NULL) = (signature IS NULL)),
        CHECK ((header_id IS NULL) = (kind IN ('reportedStatus', 'own'))),
        CHECK (effect <> 'applied' OR scope_id IS NOT NULL)
      ) STRICT
      """,
      """
      CREATE INDEX facts_by_chain ON facts (chain_id) WHERE chain_id IS NOT NULL
      """,
      """
      CREATE INDEX facts_by_customer ON facts (customer_id) WHERE customer_id IS NOT NULL
      """,
      """
      CREATE TABLE fact_parts (
        id INTEGER PRIMARY KEY,
        fact_id INTEGER NOT NULL REFERENCES facts,
        place INTEGER NOT NULL CHECK (place >= 0),
        byte_offset INTEGER CHECK (byte_offset >= 0),
        part_id INTEGER NOT NULL REFERENCES facts,
        UNIQUE (fact_id, place)
      ) STRICT
      """,
      """
      CREATE TABLE sightings (
        id INTEGER PRIMARY KEY,
        fact_id INTEGER NOT NULL REFERENCES facts,
        channel TEXT NOT NULL
          CHECK (channel IN ('device', 'notification', 'history', 'poll', 'import', 'own')),
        received_at_ms INTEGER NOT NULL,
        UNIQUE (fact_id, channel)
      ) STRICT
      """,
    ])
}
