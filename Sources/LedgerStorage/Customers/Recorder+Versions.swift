package import AppStoreModel

extension Recorder {
  /// Puts every customer's version above all that may have been told before a backup was put back,
  /// so that no reader takes what is told from now on for old.
  ///
  /// The clock is far above any count of changes, and a step above what is known is for a clock that
  /// is wrong.
  ///
  /// - Returns: The version that every customer has now, and every new one begins at.
  @discardableResult
  package func raiseVersions(now: Timestamp) throws(StoreError) -> Int64 {
    let known = try session.number(Self.greatest, []) ?? 0
    let floor = max(now.millisecondsSince1970, known + Self.step)
    try session.run(Self.raise, [.integer(floor)])
    try session.run(Self.setFloor, [.integer(floor)])
    return floor
  }

  private static let step: Int64 = 1_000_000_000
  private static let greatest = SQLStatement(
    """
    SELECT max(told.version) FROM (
      SELECT max(version) AS version FROM customers
      UNION ALL SELECT version_floor FROM store_identity) AS told
    """)
  private static let raise = SQLStatement("UPDATE customers SET version = ?")
  private static let setFloor = SQLStatement("UPDATE store_identity SET version_floor = ?")
}
