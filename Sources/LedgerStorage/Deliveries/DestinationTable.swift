import AppStoreModel

/// Keeps to whom is sent, and by which secrets.
struct DestinationTable {
  let session: any SQLSession

  func all() throws(StoreError) -> [Destination] {
    let apps = try words(Self.apps)
    let types = try words(Self.types)
    return try session.rows(Self.every, []) { (row) throws(StoreError) in
      let id = try row.requiredInteger(0)
      return try Self.destination(row, apps[id] ?? [], types[id] ?? [])
    }
  }

  /// Those that are sent nothing.
  func disabled() throws(StoreError) -> Set<Int64> {
    Set(
      try session.rows(Self.disabled, []) { (row) throws(StoreError) in
        try row.requiredInteger(0)
      })
  }

  func find(_ name: String) throws(StoreError) -> Destination? {
    try all().first { $0.name == name }
  }

  func insert(_ new: NewDestination, cursor: Int64, at now: Timestamp) throws(StoreError) {
    let id = try session.insert(
      Self.insert,
      [
        .text(new.name), .text(new.kind.rawValue), .text(new.url),
        .text(new.environment?.rawValue), .text(new.description), .moment(now),
      ])
    try write(apps: new.bundleIds, of: id)
    try write(types: new.types, of: id)
    if let secret = new.secret { try insert(secret: secret, of: id, at: now) }
    _ = try insertTrack(of: id, cursor: cursor, end: nil, at: now)
  }

  func insertTrack(
    of id: Int64, cursor: Int64, end: Int64?, isOfDeadLetters: Bool = false, at now: Timestamp
  ) throws(StoreError) -> Int64 {
    try session.insert(
      Self.insertTrack,
      [
        .integer(id), .integer(cursor), .integer(end), .integer(isOfDeadLetters ? 1 : 0),
        .moment(now),
      ])
  }

  func insert(secret: [UInt8], of id: Int64, at now: Timestamp) throws(StoreError) {
    _ = try session.insert(Self.insertSecret, [.integer(id), .bytes(secret), .moment(now)])
  }

  /// Puts another secret in force; the one before counts until `end`, and older ones no more.
  func rotate(
    to secret: [UInt8], of id: Int64, until end: Timestamp, at now: Timestamp
  ) throws(StoreError) {
    try session.run(Self.deleteEndedSecrets, [.integer(id)])
    try session.run(Self.endSecret, [.moment(end), .integer(id)])
    try insert(secret: secret, of: id, at: now)
  }

  /// The one in force, then the one before while it counts.
  func secrets(of id: Int64, at now: Timestamp) throws(StoreError) -> [DestinationSecret] {
    try session.rows(Self.secrets, [.integer(id), .moment(now)]) { (row) throws(StoreError) in
      DestinationSecret(
        bytes: try row.requiredBytes(0), madeAt: try row.requiredTimestamp(1),
        endsAt: row.timestamp(2))
    }
  }

  func update(_ destination: Destination, _ change: DestinationChange) throws(StoreError) {
    try session.run(
      Self.update,
      [
        .text(change.url ?? destination.url),
        .text(change.description ?? destination.description), .integer(destination.id),
      ])
    if let apps = change.bundleIds {
      try session.run(Self.deleteApps, [.integer(destination.id)])
      try write(apps: apps, of: destination.id)
    }
    if let types = change.types {
      try session.run(Self.deleteTypes, [.integer(destination.id)])
      try write(types: types, of: destination.id)
    }
  }

  func setFailing(_ id: Int64, since moment: Timestamp?) throws(StoreError) {
    try session.run(Self.setFailing, [.moment(moment), .integer(id)])
  }

  /// - Returns: Whether it was enabled before.
  func disable(
    _ id: Int64, _ reason: Destination.Stop, at now: Timestamp
  ) throws(StoreError) -> Bool {
    try session.run(Self.disable, [.moment(now), .text(reason.rawValue), .integer(id)]) > 0
  }

  func enable(_ id: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(Self.enable, [.integer(id)])
    try session.run(Self.renewLanes, [.moment(now), .integer(id)])
  }

  func delete(_ id: Int64) throws(StoreError) {
    for statement in Self.deletions { try session.run(statement, [.integer(id)]) }
  }

  private func write(apps: Set<String>, of id: Int64) throws(StoreError) {
    for app in apps.sorted() { try session.run(Self.insertApp, [.integer(id), .text(app)]) }
  }

  private func write(types: Set<String>, of id: Int64) throws(StoreError) {
    for type in types.sorted() { try session.run(Self.insertType, [.integer(id), .text(type)]) }
  }

  private func words(_ statement: SQLStatement) throws(StoreError) -> [Int64: Set<String>] {
    var words: [Int64: Set<String>] = [:]
    try session.forEach(statement, []) { (row) throws(StoreError) in
      words[try row.requiredInteger(0), default: []].insert(try row.requiredText(1))
      return true
    }
    return words
  }

  private static func destination(
    _ row: any SQLRow, _ apps: Set<String>, _ types: Set<String>
  ) throws(StoreError) -> Destination {
    guard let kind = Destination.Kind(rawValue: try row.requiredText(2)) else {
      throw .inconsistent(detail: "a destination of unknown kind")
    }
    return Destination(
      id: try row.requiredInteger(0), name: try row.requiredText(1), kind: kind,
      url: try row.requiredText(3),
      environment: row.text(4).map { AppStoreEnvironment(rawValue: $0) }, bundleIds: apps,
      types: types, description: try row.requiredText(5), madeAt: try row.requiredTimestamp(6),
      failingSince: row.timestamp(7), disabledAt: row.timestamp(8),
      disabledBecause: row.text(9).flatMap { Destination.Stop(rawValue: $0) })
  }
}

extension DestinationTable {
  private static let every = SQLStatement(
    """
    SELECT id, name, kind, url, environment, description, made_at_ms, failing_since_ms,
      disabled_at_ms, disabled_because
    FROM destinations ORDER BY id
    """)
  private static let disabled = SQLStatement(
    "SELECT id FROM destinations WHERE disabled_at_ms IS NOT NULL")
  private static let apps = SQLStatement("SELECT destination_id, bundle_id FROM destination_apps")
  private static let types = SQLStatement(
    "SELECT destination_id, event_type FROM destination_types")
  private static let insert = SQLStatement(
    """
    INSERT INTO destinations (name, kind, url, environment, description, made_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)
    """)
  private static let insertApp = SQLStatement(
    "INSERT INTO destination_apps (destination_id, bundle_id) VALUES (?, ?)")
  private static let insertType = SQLStatement(
    "INSERT INTO destination_types (destination_id, event_type) VALUES (?, ?)")
  private static let insertTrack = SQLStatement(
    """
    INSERT INTO delivery_tracks (destination_id, cursor_position, end_position, of_dead_letters,
      begun_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let insertSecret = SQLStatement(
    "INSERT INTO destination_secrets (destination_id, secret, made_at_ms) VALUES (?, ?, ?)")
  private static let deleteEndedSecrets = SQLStatement(
    "DELETE FROM destination_secrets WHERE destination_id = ? AND ends_at_ms IS NOT NULL")
  private static let endSecret = SQLStatement(
    """
    UPDATE destination_secrets SET ends_at_ms = ?
    WHERE destination_id = ? AND ends_at_ms IS NULL
    """)
  private static let secrets = SQLStatement(
    """
    SELECT secret, made_at_ms, ends_at_ms FROM destination_secrets
    WHERE destination_id = ? AND (ends_at_ms IS NULL OR ends_at_ms > ?) ORDER BY id DESC
    """)
  private static let update = SQLStatement(
    "UPDATE destinations SET url = ?, description = ? WHERE id = ?")
  private static let setFailing = SQLStatement(
    "UPDATE destinations SET failing_since_ms = ? WHERE id = ?")
  private static let disable = SQLStatement(
    """
    UPDATE destinations SET disabled_at_ms = ?, disabled_because = ?
    WHERE id = ? AND disabled_at_ms IS NULL
    """)
  private static let enable = SQLStatement(
    """
    UPDATE destinations
    SET disabled_at_ms = NULL, disabled_because = NULL, failing_since_ms = NULL WHERE id = ?
    """)
  private static let renewLanes = SQLStatement(
    """
    UPDATE delivery_lanes SET attempts = 0, due_at_ms = ?
    WHERE track_id IN (SELECT id FROM delivery_tracks WHERE destination_id = ?)
    """)
  private static let deleteApps = SQLStatement(
    "DELETE FROM destination_apps WHERE destination_id = ?")
  private static let deleteTypes = SQLStatement(
    "DELETE FROM destination_types WHERE destination_id = ?")
  /// What refers to a destination, before it.
  private static let deletions = [
    deleteApps, deleteTypes,
    SQLStatement("DELETE FROM destination_secrets WHERE destination_id = ?"),
    SQLStatement(
      """
      DELETE FROM delivery_lanes
      WHERE track_id IN (SELECT id FROM delivery_tracks WHERE destination_id = ?)
      """),
    SQLStatement("DELETE FROM delivery_tracks WHERE destination_id = ?"),
    SQLStatement("DELETE FROM dead_letters WHERE destination_id = ?"),
    SQLStatement("DELETE FROM delivery_attempts WHERE destination_id = ?"),
    SQLStatement("DELETE FROM destinations WHERE id = ?"),
  ]
}
