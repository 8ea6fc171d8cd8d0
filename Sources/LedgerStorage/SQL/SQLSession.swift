import AppStoreModel

/// One connection to a store, used by one thread at a time.
///
/// Everything that the stores share is written against this; a store brings the connection.
package protocol SQLSession: AnyObject {
  /// Runs a statement that answers no rows.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func run(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int

  /// Inserts one row.
  ///
  /// - Returns: Its key, which the store gave it.
  func insert(_ statement: SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int64

  /// Inserts one row, unless there is one that may not stand twice: the statement does nothing then.
  ///
  /// - Returns: Its key, which the store gave it; `nil` where the row was there.
  func insertNew(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int64?

  /// Runs a statement and reads each row that it answers, until `read` says no.
  func forEach(
    _ statement: SQLStatement, _ values: [SQLValue],
    _ read: (any SQLRow) throws(StoreError) -> Bool
  ) throws(StoreError)
}

extension SQLSession {
  package func rows<Value>(
    _ statement: SQLStatement, _ values: [SQLValue],
    _ read: (any SQLRow) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    var found: [Value] = []
    try forEach(statement, values) { (row) throws(StoreError) in
      found.append(try read(row))
      return true
    }
    return found
  }

  package func first<Value>(
    _ statement: SQLStatement, _ values: [SQLValue],
    _ read: (any SQLRow) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    var found: Value?
    try forEach(statement, values) { (row) throws(StoreError) in
      found = try read(row)
      return false
    }
    return found
  }

  /// The first column of the first row, a whole number.
  package func number(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int64? {
    try first(statement, values) { $0.integer(0) } ?? nil
  }

  /// A sum of amounts, or the end of the range that it lies beyond: stores differ in what they do there.
  ///
  /// - Parameters:
  ///   - statement: Answers the sums of ``AmountColumns``, neither of which can be beyond it.
  ///   - values: What it is run with.
  /// - Returns: Zero where there is nothing to add up.
  /// - Throws: ``StoreError``.
  package func sum(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> Int64 {
    let sums = try first(statement, values) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }
    guard let (millions, rest) = sums else { return 0 }
    let (whole, overflow) = millions.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : whole.saturatingSum(rest)
  }
}
