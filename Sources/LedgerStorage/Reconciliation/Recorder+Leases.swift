package import AppStoreModel

extension Recorder {
  /// Takes a lease, or keeps it longer.
  ///
  /// - Returns: Whether it is the holder's now; else somebody else has it.
  package func takeLease(
    _ name: String, holder: String, until: Timestamp, now: Timestamp
  ) throws(StoreError) -> Bool {
    try session.run(
      Self.takeLease, [.text(name), .text(holder), .moment(until), .moment(now)]) > 0
  }

  package func dropLease(_ name: String, holder: String) throws(StoreError) {
    try session.run(Self.dropLease, [.text(name), .text(holder)])
  }

  private static let takeLease = SQLStatement(
    """
    INSERT INTO leases (name, holder, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
      WHERE leases.holder = excluded.holder OR leases.until_ms <= ?
    """)
  private static let dropLease = SQLStatement("DELETE FROM leases WHERE name = ? AND holder = ?")
}
