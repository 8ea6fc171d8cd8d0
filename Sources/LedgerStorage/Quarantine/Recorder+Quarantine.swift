import AppStoreModel

extension Recorder {
  /// Keeps an item, and lets the oldest of its kind go where there are too many.
  ///
  /// - Returns: Whether it was not there already.
  package func quarantine(
    _ item: QuarantinedItem, ringSize: Int = QuarantinedItem.ringSize
  ) throws(StoreError) -> Bool {
    let added = try session.run(
      Self.insertItem,
      [
        .bytes(item.sha256), .text(item.channel), .text(item.reason), .bytes(item.excerpt),
        item.body.map { .bytes($0) } ?? .null, .moment(item.receivedAt),
      ])
    guard added > 0 else { return false }
    let trim = item.body == nil ? Self.trimWithoutBody : Self.trimWithBody
    try session.run(trim, [.integer(Int64(ringSize))])
    return true
  }

  /// Items in order of arrival, from the first after `position`.
  package func quarantined(
    after position: Int64, limit: Int
  ) throws(StoreError) -> [(position: Int64, item: QuarantinedItem)] {
    try session.rows(Self.items, [.integer(position), .integer(Int64(limit))]) {
      (row) throws(StoreError) in
      (
        try row.requiredInteger(0),
        QuarantinedItem(
          sha256: try row.requiredBytes(1), channel: try row.requiredText(2),
          reason: try row.requiredText(3), excerpt: try row.requiredBytes(4),
          body: row.bytes(5), receivedAt: try row.requiredTimestamp(6))
      )
    }
  }

  /// Lets an item go, because it could be taken after all.
  ///
  /// - Returns: Whether it was there.
  package func dropQuarantined(sha256: [UInt8]) throws(StoreError) -> Bool {
    try session.run(Self.deleteItem, [.bytes(sha256)]) > 0
  }

  private static let insertItem = SQLStatement(
    """
    INSERT INTO quarantine (sha256, channel, reason, excerpt, body, received_at_ms)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING
    """)
  private static let trimWithBody = SQLStatement(trim(having: "IS NOT NULL"))
  private static let trimWithoutBody = SQLStatement(trim(having: "IS NULL"))
  private static let items = SQLStatement(
    """
    SELECT id, sha256, channel, reason, excerpt, body, received_at_ms
    FROM quarantine WHERE id > ? ORDER BY id LIMIT ?
    """)
  private static let deleteItem = SQLStatement("DELETE FROM quarantine WHERE sha256 = ?")

  private static func trim(having test: String) -> String {
    """
    DELETE FROM quarantine WHERE body \(test) AND id <= (
      SELECT id FROM quarantine WHERE body \(test) ORDER BY id DESC LIMIT 1 OFFSET ?)
    """
  }
}
