import AppStoreModel

/// Reads what is to be sent, in its order.
struct OutgoingTable {
  let session: any SQLSession

  func last(_ kind: Destination.Kind) throws(StoreError) -> Int64 {
    try session.number(kind == .webhook ? Self.lastEvent : Self.lastArrival, []) ?? 0
  }

  func items(
    _ kind: Destination.Kind, after position: Int64, through end: Int64, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    try session.rows(
      kind == .webhook ? Self.events : Self.arrivals,
      [.integer(position), .integer(end), .integer(Int64(limit))], Self.item)
  }

  /// A customer's events.
  func items(
    ofCustomer customerID: Int64, after position: Int64, through end: Int64, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    try session.rows(
      Self.customerEvents,
      [.integer(customerID), .integer(position), .integer(end), .integer(Int64(limit))], Self.item)
  }

  /// The last position before everything that happened at a moment or later.
  ///
  /// Events are written as they happen, so their order is that of time, and it is found by halves.
  func position(before moment: Timestamp) throws(StoreError) -> Int64 {
    var low: Int64 = 0
    var high = try last(.webhook)
    while low < high {
      let middle = low + (high - low + 1) / 2
      let happened = try session.first(Self.lastUpTo, [.integer(middle), .integer(low)]) {
        (row) throws(StoreError) in
        (position: try row.requiredInteger(0), at: try row.requiredTimestamp(1))
      }
      guard let happened else {
        high = middle - 1
        continue
      }
      if happened.at < moment {
        low = middle
      } else {
        high = happened.position - 1
      }
    }
    return low
  }

  private static func item(_ row: any SQLRow) throws(StoreError) -> OutgoingItem {
    let scope = row.text(2).map { bundleId in
      OutgoingItem.Scope(
        bundleId: bundleId, environment: AppStoreEnvironment(rawValue: row.text(3) ?? ""))
    }
    return OutgoingItem(
      position: try row.requiredInteger(0), customerID: row.integer(1), scope: scope,
      type: row.text(4))
  }

  private static let lastEvent = SQLStatement("SELECT max(position) FROM events")
  private static let lastArrival = SQLStatement("SELECT max(position) FROM arrivals")
  private static let events = SQLStatement(
    """
    SELECT events.position, events.customer_id, scopes.bundle_id, scopes.environment, events.type
    FROM events JOIN scopes ON scopes.id = events.scope_id
    WHERE events.position > ? AND events.position <= ? ORDER BY events.position LIMIT ?
    """)
  private static let arrivals = SQLStatement(
    """
    SELECT position, NULL, NULL, NULL, NULL FROM arrivals
    WHERE position > ? AND position <= ? ORDER BY position LIMIT ?
    """)
  private static let customerEvents = SQLStatement(
    """
    SELECT events.position, events.customer_id, scopes.bundle_id, scopes.environment, events.type
    FROM events JOIN scopes ON scopes.id = events.scope_id
    WHERE events.customer_id = ? AND events.position > ? AND events.position <= ?
    ORDER BY events.position LIMIT ?
    """)
  private static let lastUpTo = SQLStatement(
    """
    SELECT position, happened_at_ms FROM events WHERE position <= ? AND position > ?
    ORDER BY position DESC LIMIT 1
    """)
}
