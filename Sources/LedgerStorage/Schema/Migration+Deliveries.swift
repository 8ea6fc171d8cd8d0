extension Migration {
  /// To whom news and Apple's notifications are sent, how far that has come, and what is left to do.
  static let deliveries = Migration(
    "deliveries",
    [
      """
      CREATE TABLE destinations (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        kind TEXT NOT NULL CHECK (kind IN ('webhook', 'forwarding')),
        url TEXT NOT NULL CHECK (url LIKE 'http://_%' OR url LIKE 'https://_%'),
        environment TEXT,
        description TEXT NOT NULL,
        made_at_ms INTEGER NOT NULL,
        failing_since_ms INTEGER,
        disabled_at_ms INTEGER,
        disabled_because TEXT CHECK (disabled_because IN ('failing', 'gone', 'operator')),
        CHECK ((environment IS NULL) = (kind = 'forwarding')),
        CHECK ((disabled_at_ms IS NULL) = (disabled_because IS NULL))
      ) STRICT
      """,
      """
      CREATE TABLE destination_apps (
        id INTEGER PRIMARY KEY,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        bundle_id TEXT NOT NULL CHECK (bundle_id <> ''),
        UNIQUE (destination_id, bundle_id)
      ) STRICT
      """,
      """
      CREATE TABLE destination_types (
        id INTEGER PRIMARY KEY,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        event_type TEXT NOT NULL CHECK (event_type <> ''),
        UNIQUE (destination_id, event_type)
      ) STRICT
      """,
      """
      CREATE TABLE destination_secrets (
        id INTEGER PRIMARY KEY,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        secret BLOB NOT NULL UNIQUE CHECK (length(secret) BETWEEN 24 AND 64),
        made_at_ms INTEGER NOT NULL,
        ends_at_ms INTEGER
      ) STRICT
      """,
      """
      CREATE UNIQUE INDEX secret_in_force ON destination_secrets (destination_id)
      WHERE ends_at_ms IS NULL
      """,
      """
      CREATE TABLE arrivals (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        fact_id INTEGER REFERENCES facts,
        before_fact BLOB,
        after_fact BLOB,
        body BLOB,
        content_type TEXT NOT NULL,
        received_at_ms INTEGER NOT NULL,
        CHECK ((fact_id IS NULL) = (body IS NOT NULL)),
        CHECK ((fact_id IS NULL) = (before_fact IS NULL)),
        CHECK ((fact_id IS NULL) = (after_fact IS NULL))
      ) STRICT
      """,
      """
      CREATE TABLE delivery_tracks (
        id INTEGER PRIMARY KEY,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        cursor_position INTEGER NOT NULL CHECK (cursor_position >= 0),
        end_position INTEGER CHECK (end_position >= cursor_position),
        begun_at_ms INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE UNIQUE INDEX live_track ON delivery_tracks (destination_id)
      WHERE end_position IS NULL
      """,
      """
      CREATE TABLE delivery_lanes (
        id INTEGER PRIMARY KEY,
        track_id INTEGER NOT NULL REFERENCES delivery_tracks,
        customer_id INTEGER REFERENCES customers,
        event_position INTEGER REFERENCES events,
        arrival_position INTEGER REFERENCES arrivals,
        attempts INTEGER NOT NULL CHECK (attempts >= 0),
        due_at_ms INTEGER NOT NULL,
        CHECK ((event_position IS NULL) = (arrival_position IS NOT NULL)),
        UNIQUE (track_id, customer_id),
        UNIQUE (track_id, event_position),
        UNIQUE (track_id, arrival_position)
      ) STRICT
      """,
      """
      CREATE TABLE dead_letters (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        event_position INTEGER REFERENCES events,
        arrival_position INTEGER REFERENCES arrivals,
        attempts INTEGER NOT NULL CHECK (attempts >= 1),
        status INTEGER,
        failure TEXT,
        died_at_ms INTEGER NOT NULL,
        CHECK ((event_position IS NULL) = (arrival_position IS NOT NULL)),
        UNIQUE (destination_id, event_position),
        UNIQUE (destination_id, arrival_position)
      ) STRICT
      """,
      """
      CREATE TABLE delivery_attempts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        destination_id INTEGER NOT NULL REFERENCES destinations,
        position INTEGER CHECK (position > 0),
        attempt INTEGER NOT NULL CHECK (attempt >= 1),
        result TEXT NOT NULL CHECK (result IN ('delivered', 'failed', 'dead')),
        status INTEGER,
        failure TEXT,
        started_at_ms INTEGER NOT NULL,
        took_ms INTEGER NOT NULL CHECK (took_ms >= 0),
        CHECK (status IS NOT NULL OR failure IS NOT NULL)
      ) STRICT
      """,
      """
      CREATE INDEX attempts_by_destination ON delivery_attempts (destination_id, id)
      """,
    ])
}
