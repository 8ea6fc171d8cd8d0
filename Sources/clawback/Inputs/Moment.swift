import AppStoreModel

/// Moments as people write and read them.
enum Moment {
  /// Reads `2026-11-30` or `2026-11-30T08:00:00Z`.
  ///
  /// - Throws: ``UsageError/badValue(_:_:expected:)``.
  static func read(_ text: String, for option: String) throws(UsageError) -> Timestamp {
    guard let moment = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") else {
      throw .badValue(
        option, text, expected: "a moment such as 2026-11-30 or 2026-11-30T08:00:00Z")
    }
    return moment
  }

  /// The moment that a member of an answer tells, in milliseconds; a dash where it has none.
  static func text(_ milliseconds: JSONValue?) -> String {
    milliseconds?.integer.map { Timestamp(millisecondsSince1970: $0).rfc3339 } ?? "-"
  }
}
