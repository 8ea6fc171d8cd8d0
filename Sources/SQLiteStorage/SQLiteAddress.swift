package import LedgerStorage

/// Where a SQLite ledger is.
///
/// Shape: `sqlite::memory:`, `sqlite:PATH` or a path alone.
package enum SQLiteAddress: Hashable, Sendable {
  case memory
  case file(path: String)

  package init(_ text: String) throws(StoreOpeningError) {
    let place = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
    guard !place.isEmpty, !place.utf8.contains(0) else { throw .unknownAddress(text) }
    if place == ":memory:" {
      self = .memory
      return
    }
    guard text.hasPrefix("sqlite:") || !SQLiteAddress.hasScheme(text) else {
      throw .unknownAddress(text)
    }
    self = .file(path: place)
  }

  /// Whether it begins like the address of another kind of store.
  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return false }
    return text[..<colon].utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
  }
}
