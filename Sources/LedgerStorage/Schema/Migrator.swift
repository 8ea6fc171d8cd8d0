package import AppStoreModel

/// Brings a database to the newest schema and checks whose it is.
package struct Migrator {
  private let session: any SQLSession
  private let migrations: [Migration]

  package init(session: any SQLSession, migrations: [Migration] = Migration.all) {
    self.session = session
    self.migrations = migrations
  }

  /// Applies what is missing and stamps a new database with its realm, in one transaction.
  ///
  /// - Throws: ``StoreOpeningError``; the database is as it was then.
  package func open(realm: Realm, now: Timestamp) throws(StoreOpeningError) {
    try attempt { () throws(StoreError) in try session.run(Self.begin, []) }
    do throws(StoreOpeningError) {
      try migrate(realm: realm, now: now)
      try attempt { () throws(StoreError) in try session.run(Self.commit, []) }
    } catch {
      _ = try? attempt { () throws(StoreError) in try session.run(Self.rollback, []) }
      throw error
    }
  }

  private func migrate(realm: Realm, now: Timestamp) throws(StoreOpeningError) {
    let applied = try appliedNames()
    if let newer = applied.first(where: { name in !migrations.contains { $0.name == name } }) {
      throw .newer(migration: newer)
    }
    guard applied == migrations.prefix(applied.count).map(\.name) else {
      throw .notALedger(detail: "its migrations ran in another order")
    }
    if !applied.isEmpty { try check(realm) }
    for (position, migration) in migrations.enumerated().dropFirst(applied.count) {
      try apply(migration, at: position, now: now)
    }
    if applied.isEmpty {
      try attempt { () throws(StoreError) in
        try session.run(Self.stamp, [.text(realm.description)])
      }
    }
  }

  /// The migrations that a database remembers; none when it is empty.
  private func appliedNames() throws(StoreOpeningError) -> [String] {
    let tables = try attempt { () throws(StoreError) in
      try session.rows(Self.tables, []) { (row) throws(StoreError) in try row.requiredText(0) }
    }
    if tables.isEmpty { return [] }
    guard tables.contains("migrations") else {
      throw .notALedger(detail: "it has tables of another program")
    }
    return try attempt { () throws(StoreError) in
      try session.rows(Self.applied, []) { (row) throws(StoreError) in try row.requiredText(0) }
    }
  }

  private func check(_ realm: Realm) throws(StoreOpeningError) {
    let text = try attempt { () throws(StoreError) in
      try session.first(Self.stamped, []) { (row) throws(StoreError) in try row.requiredText(0) }
    }
    guard let stored = text.flatMap({ Realm($0) }) else {
      throw .notALedger(detail: "it has no realm")
    }
    guard stored == realm else { throw .otherRealm(stored: stored, asked: realm) }
  }

  private func apply(
    _ migration: Migration, at position: Int, now: Timestamp
  ) throws(StoreOpeningError) {
    try attempt { () throws(StoreError) in
      for statement in migration.statements { try session.run(SQLStatement(statement), []) }
      try session.run(
        Self.remember, [.integer(Int64(position)), .text(migration.name), .moment(now)])
    }
  }

  @discardableResult
  private func attempt<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreOpeningError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      switch error {
      case .damaged(let detail), .inconsistent(let detail): throw .notALedger(detail: detail)
      case .closed, .busy, .unlinked, .full, .unavailable:
        throw .unreadable(detail: error.description)
      }
    }
  }

  private static let begin = SQLStatement("BEGIN IMMEDIATE")
  private static let commit = SQLStatement("COMMIT")
  private static let rollback = SQLStatement("ROLLBACK")
  private static let tables = SQLStatement(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
  private static let applied = SQLStatement("SELECT name FROM migrations ORDER BY position")
  private static let remember = SQLStatement(
    "INSERT INTO migrations (position, name, applied_at_ms) VALUES (?, ?, ?)")
  private static let stamp = SQLStatement("INSERT INTO store_identity (only, realm) VALUES (1, ?)")
  private static let stamped = SQLStatement("SELECT realm FROM store_identity")
}
