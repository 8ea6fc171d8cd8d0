package import AppStoreModel

extension Recorder {
  /// When a notification was stored; `nil` when it is not among the newest.
  ///
  /// It looks at what was stored last only, since notifications without a purchase have no place of
  /// their own.
  package func arrival(ofNotification uuid: String) throws(StoreError) -> Timestamp? {
    var arrival: Timestamp?
    try session.forEach(Self.newestNotifications, []) { (row) throws(StoreError) in
      let json = try? JSONValue(json: try row.requiredBytes(0))
      guard json?["notificationUUID"]?.string?.lowercased() == uuid.lowercased() else {
        return true
      }
      arrival = row.timestamp(1)
      return false
    }
    return arrival
  }

  private static let newestNotifications = SQLStatement(
    """
    SELECT facts.payload, sightings.received_at_ms
    FROM facts JOIN sightings ON sightings.fact_id = facts.id AND sightings.channel = 'notification'
    WHERE facts.kind = 'notification' ORDER BY facts.id DESC LIMIT 2000
    """)
}

extension LedgerReader {
  /// When a notification was stored; `nil` when it is not among the newest.
  package func arrival(ofNotification uuid: String) throws(StoreError) -> Timestamp? {
    try read { (recorder) throws(StoreError) in try recorder.arrival(ofNotification: uuid) }
  }
}
