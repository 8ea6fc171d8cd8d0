/// A value on its way into a statement or out of a row.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

extension SQLValue {
  package static func integer(_ number: Int64?) -> SQLValue {
    number.map { .integer($0) } ?? .null
  }

  package static func text(_ text: String?) -> SQLValue {
    text.map { .text($0) } ?? .null
  }

  package static func flag(_ flag: Bool) -> SQLValue {
    .integer(flag ? 1 : 0)
  }

  package static func flag(_ flag: Bool?) -> SQLValue {
    flag.map { .flag($0) } ?? .null
  }
}
