import LedgerStorage
import Synchronization

/// The writing connection with its transactions: the writer's thread has it, and readers of a
/// database in memory borrow it between two groups.
final class SQLiteDatabase: @unchecked Sendable {
  let connection: SQLiteConnection
  let files: OpenFiles?
  private let lock = PlainLock()
  private let lastFailure = Mutex<StoreError?>(nil)

  init(connection: SQLiteConnection, files: OpenFiles?) {
    self.connection = connection
    self.files = files
  }

  /// Why the store itself refused the last write; `nil` once one has gone through again.
  var failure: StoreError? { lastFailure.withLock { $0 } }

  /// Runs every job in one transaction, and tells each how it ended.
  ///
  /// A job may run twice: again after the whole was undone because another failed.
  func commit(_ group: [any WriteJob]) {
    let failures = lock.locked {
      let before = connection.totalChanges
      let failures = outcomes(of: group)
      remember(failures, hasWritten: connection.totalChanges != before)
      return failures
    }
    for (job, failure) in zip(group, failures) { job.finish(failure) }
  }

  private func remember(_ failures: [StoreError?], hasWritten: Bool) {
    if let failure = failures.lazy.compactMap({ $0 }).first(where: \.isOfTheStore) {
      lastFailure.withLock { $0 = failure }
    } else if hasWritten {
      lastFailure.withLock { $0 = nil }
    }
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
      try transaction { () throws(StoreError) in
        for job in group { try job.run(on: connection) }
      }
      return group.map { _ in nil }
    } catch {
      return group.count == 1 ? [error] : outcomesApart(of: group)
    }
  }

  /// Runs each job within a savepoint of its own, once one of them has failed.
  ///
  /// Savepoints copy each page before its first change, which costs a tenth of a write: they are
  /// for the rare group that needs them.
  private func outcomesApart(of group: [any WriteJob]) -> [StoreError?] {
    do throws(StoreError) {
      var failures: [StoreError?] = []
      try transaction { () throws(StoreError) in
        failures = try group.map { (job) throws(StoreError) in try outcome(of: job) }
      }
      return failures
    } catch {
      return group.map { _ in error }
    }
  }

  private func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) {
      try files?.check()
      try connection.run(Self.begin, [])
      try body()
      try connection.run(Self.commit, [])
    } catch {
      abandon()
      throw error
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

extension StoreError {
  /// Whether any other write would have failed too.
  fileprivate var isOfTheStore: Bool {
    switch self {
    case .full, .damaged, .unavailable: true
    case .closed, .busy, .unlinked, .inconsistent: false
    }
  }
}
