package import AppStoreModel

/// One row of an answer, valid until the next one is asked for.
package protocol SQLRow {
  func integer(_ column: Int) -> Int64?
  func text(_ column: Int) -> String?
  func bytes(_ column: Int) -> [UInt8]?
}

extension SQLRow {
  package func timestamp(_ column: Int) -> Timestamp? {
    integer(column).map { Timestamp(millisecondsSince1970: $0) }
  }

  package func flag(_ column: Int) -> Bool {
    integer(column) == 1
  }

  package func requiredInteger(_ column: Int) throws(StoreError) -> Int64 {
    guard let value = integer(column) else { throw missing(column) }
    return value
  }

  package func requiredText(_ column: Int) throws(StoreError) -> String {
    guard let value = text(column) else { throw missing(column) }
    return value
  }

  package func requiredBytes(_ column: Int) throws(StoreError) -> [UInt8] {
    guard let value = bytes(column) else { throw missing(column) }
    return value
  }

  package func requiredTimestamp(_ column: Int) throws(StoreError) -> Timestamp {
    Timestamp(millisecondsSince1970: try requiredInteger(column))
  }

  private func missing(_ column: Int) -> StoreError {
    .inconsistent(detail: "column \(column) of a row is empty")
  }
}

extension SQLValue {
  package static func moment(_ moment: Timestamp) -> SQLValue {
    .integer(moment.millisecondsSince1970)
  }

  package static func moment(_ moment: Timestamp?) -> SQLValue {
    moment.map { .moment($0) } ?? .null
  }
}
