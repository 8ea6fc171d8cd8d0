import LedgerStorage
import Synchronization

/// How many rows a piece of work read.
final class RowCounter: Sendable {
  private let count = Atomic<Int>(0)

  var rows: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}

/// A session that counts the rows that are read through it.
final class CountingSession: SQLSession {
  private let session: any SQLSession
  private let counter: RowCounter

  init(_ session: any SQLSession, _ counter: RowCounter) {
    self.session = session
    self.counter = counter
  }

  func run(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int {
    try session.run(statement, values)
  }

  func insert(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    try session.insert(statement, values)
  }

  func insertNew(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int64? {
    try session.insertNew(statement, values)
  }

  func forEach(
    _ statement: SQLStatement, _ values: [SQLValue],
    _ read: (any SQLRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try session.forEach(statement, values) { (row) throws(StoreError) in
      counter.add()
      return try read(row)
    }
  }
}
