import LedgerStorage

/// The writing connection with its transactions: the writer's thread has it, and readers of a
/// database in memory borrow it between two groups.
final class SQLiteDatabase: @unchecked Sendable {
  let connection: SQLiteConnection
  let files: OpenFiles?
  private let lock = PlainLock()

  init(connection: SQLiteConnection, files: OpenFiles?) {
    self.connection = connection
    self.files = files
  }

  /// Runs every job in one transaction, and tells each how it ended.
  func commit(_ group: [any WriteJob]) {
    let failures = lock.locked { outcomes(of: group) }
    for (job, failure) in zip(group, failures) { job.finish(failure) }
  }

  /// Reads between two groups of writes.
  func read<Value>(
    _ body: (any SQLSession) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body(connection)
  }

  private func outcomes(of group: [any WriteJob]) -> [StoreError?] {
    do throws(StoreError) {
      try files?.check()
      try connection.run(Self.begin, [])
      let failures = try group.map { (job) throws(StoreError) in try outcome(of: job) }
      try connection.run(Self.commit, [])
      return failures
    } catch {
      abandon()
      return group.map { _ in error }
    }
  }

  /// Runs one job so that its failure leaves nothing of it, and the others as they were.
  private func outcome(of job: any WriteJob) throws(StoreError) -> StoreError? {
    try connection.run(Self.savepoint, [])
    do throws(StoreError) {
      try job.run(on: connection)
      try connection.run(Self.release, [])
      return nil
    } catch {
      // A full disk may have ended the whole transaction: then nobody's work is left.
      guard connection.isInTransaction else { throw error }
      try connection.run(Self.rollbackToSavepoint, [])
      try connection.run(Self.release, [])
      return error
    }
  }

  private func abandon() {
    guard connection.isInTransaction else { return }
    do throws(StoreError) {
      try connection.run(Self.rollback, [])
    } catch {
      // What could not be rolled back now is rolled back by the next group's failing BEGIN.
      return
    }
  }

  private static let begin = SQLStatement("BEGIN IMMEDIATE")
  private static let commit = SQLStatement("COMMIT")
  private static let rollback = SQLStatement("ROLLBACK")
  private static let savepoint = SQLStatement("SAVEPOINT item")
  private static let release = SQLStatement("RELEASE item")
  private static let rollbackToSavepoint = SQLStatement("ROLLBACK TO item")
}
