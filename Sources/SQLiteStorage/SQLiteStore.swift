package import AppStoreModel
import Glibc
package import LedgerStorage

/// A ledger in a SQLite file, or in memory for as long as the object lives.
///
/// One connection writes and checkpoints. Readers of a file have connections of their own, each
/// read-only; readers of a ledger in memory share the writer's connection, between its groups.
package final class SQLiteStore: LedgerStore {
  package let realm: Realm
  private let address: SQLiteAddress
  private let settings: SQLiteSettings
  private let database: SQLiteDatabase
  private let writer: SQLiteWriter

  /// Opens a ledger, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - realm: The only realm whose facts it takes.
  ///   - socketPath: Where this process answers operations commands, for others to be told.
  ///   - command: What this process runs, for others to be told.
  ///   - settings: What an operator may tune.
  ///   - now: Stamped on migrations.
  /// - Throws: ``StoreOpeningError``; nothing was changed then.
  package init(
    _ address: SQLiteAddress, realm: Realm, socketPath: String? = nil, command: String? = nil,
    settings: SQLiteSettings = SQLiteSettings(), now: Timestamp
  ) throws(StoreOpeningError) {
    let address = try address.resolved()
    self.address = address
    self.settings = settings
    self.realm = realm
    try address.refuseForeign()
    let lock = try SQLiteStore.lock(
      address, LockHolder(processID: getpid(), socketPath: socketPath, command: command))
    try lock?.refuseEmptied()
    let connection = try SQLiteStore.connect(address, settings)
    connection.lock = lock
    try Migrator(session: connection, migrations: Migration.all).open(realm: realm, now: now)
    lock?.markLedger()
    database = SQLiteDatabase(connection: connection, files: try SQLiteStore.files(address))
    writer = SQLiteWriter(database: database, capacity: settings.queueCapacity)
    guard writer.start() else { throw .unreadable(detail: "no thread could be started") }
  }

  deinit {
    writer.close()
  }

  package var waitingWrites: Int { writer.waiting }

  package func write<Value: Sendable>(
    _ work: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value,
    completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
  ) {
    writer.submit(ValueJob(work: work, completion: completion))
  }

  package func makeReader() throws(StoreError) -> any StoreReader {
    guard case .file(let path) = address else { return SharedReader(database: database) }
    do throws(SQLiteFailure) {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      try connection.execute("PRAGMA cache_size = -\(settings.readerCacheKiB)")
      return OwnReader(connection: connection)
    } catch {
      throw error.storeError
    }
  }

  package func check() throws(StoreError) {
    try database.files?.check()
    guard let failure = database.failure else { return }
    // Nobody may write while the store is said to be unavailable: this finds out when it is well again.
    write({ (session) throws(StoreError) in try session.run(Self.touch, []) }, completion: { _ in })
    throw failure
  }

  private static let touch = SQLStatement("UPDATE store_identity SET only = 1")

  package func close() {
    writer.close()
  }

  private static func lock(
    _ address: SQLiteAddress, _ holder: LockHolder
  ) throws(StoreOpeningError) -> FileLock? {
    guard case .file(let path) = address else { return nil }
    return try FileLock(databasePath: path, holder: holder)
  }

  private static func files(_ address: SQLiteAddress) throws(StoreOpeningError) -> OpenFiles? {
    guard case .file(let path) = address else { return nil }
    guard let files = OpenFiles(path: path) else {
      throw .unreadable(detail: "its files are not beside \(path)")
    }
    return files
  }

  private static func connect(
    _ address: SQLiteAddress, _ settings: SQLiteSettings
  ) throws(StoreOpeningError) -> SQLiteConnection {
    do throws(SQLiteFailure) {
      switch address {
      case .memory:
        return try configured(SQLiteConnection(path: ":memory:", mode: .readWrite), settings)
      case .file(let path):
        makePrivateFile(path)
        return try configured(SQLiteConnection(path: path, mode: .readWrite), settings)
      }
    } catch {
      throw error.openingError
    }
  }

  /// Makes a new database its owner's alone, and with it the files that SQLite puts beside it.
  ///
  /// A file that is there keeps its mode; one that cannot be made is for SQLite to report.
  private static func makePrivateFile(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  private static func configured(
    _ connection: SQLiteConnection, _ settings: SQLiteSettings
  ) throws(SQLiteFailure) -> SQLiteConnection {
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("PRAGMA wal_autocheckpoint = \(settings.checkpointPages)")
    try connection.execute("PRAGMA cache_size = -\(settings.writerCacheKiB)")
    try connection.execute("PRAGMA temp_store = MEMORY")
    if let pages = settings.greatestPageCount {
      try connection.execute("PRAGMA max_page_count = \(pages)")
    }
    return connection
  }
}
