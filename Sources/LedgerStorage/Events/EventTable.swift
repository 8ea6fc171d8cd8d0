import AppStoreModel
import EntitlementLedger

/// The outbox: events are written with what caused them and read in order.
struct EventTable {
  let session: any SQLSession
  let realm: Realm
  let tally: EventTally?

  /// Adds news about an answer or a refund.
  ///
  /// `standing` is all that the customer has at the new version, and `nil` where there is no customer.
  func append(
    _ event: LedgerEvent, in standing: [Decision]?, customerID: Int64?, scopeID: Int64,
    version: Int64, _ cause: Cause
  ) throws(StoreError) -> Int64 {
    try append(
      type: EventType(event.kind), payload: event.json(in: standing), customerID: customerID,
      scopeID: scopeID, version: version, cause)
  }

  func append(
    type: EventType, payload: [UInt8], customerID: Int64?, scopeID: Int64, version: Int64,
    _ cause: Cause
  ) throws(StoreError) -> Int64 {
    let state = String(decoding: payload, as: UTF8.self)
    let place = "\(realm) \(scopeID) \(customerID ?? 0) \(version) \(type.rawValue)"
    let text = "\(place) \(cause.now.millisecondsSince1970) \(state)"
    let position = try session.insert(
      Self.insert,
      [
        .integer(customerID), .integer(scopeID), .integer(version), .text(type.rawValue),
        .integer(cause.factID), .text(state), .moment(cause.now),
        .text(String(Fingerprint(hashing: Array(text.utf8)).hexadecimal.prefix(16))),
        .text(String(decoding: cause.json, as: UTF8.self)),
      ])
    tally?.count(position)
    return position
  }

  func after(_ position: Int64, limit: Int) throws(StoreError) -> [StoredEvent] {
    try session.rows(Self.afterPosition, [.integer(position), .integer(Int64(limit))]) {
      (row) throws(StoreError) in
      StoredEvent(
        position: try row.requiredInteger(0), mark: try row.requiredText(8),
        type: try row.requiredText(1),
        scope: Scope(
          realm: realm, bundleId: try row.requiredText(2),
          environment: AppStoreEnvironment(rawValue: try row.requiredText(3))),
        customer: row.text(4).flatMap { CustomerID($0) },
        version: try row.requiredInteger(5), payload: try row.requiredText(6),
        causes: try row.requiredText(9), happenedAt: try row.requiredTimestamp(7))
    }
  }

  /// The last position that was ever given; the event there may be gone.
  func last() throws(StoreError) -> Int64 {
    max(try session.number(Self.lastPosition, []) ?? 0, try floor())
  }

  func mark(at position: Int64) throws(StoreError) -> String? {
    try session.first(Self.markAt, [.integer(position)]) { $0.text(0) } ?? nil
  }

  /// The position up to which events are gone.
  func floor() throws(StoreError) -> Int64 {
    try session.number(Self.forgottenUpTo, []) ?? 0
  }

  /// Events stand in the order of their moments, but for what clocks did: the first that is young
  /// enough keeps all that come after it.
  func forget(before moment: Timestamp, limit: Int) throws(StoreError) -> Int {
    let oldest = try session.rows(Self.oldest, [.integer(Int64(limit))]) {
      (row) throws(StoreError) in
      (position: try row.requiredInteger(0), at: try row.requiredTimestamp(1))
    }
    guard let last = oldest.prefix(while: { $0.at < moment }).last else { return 0 }
    let deliveries = DeliveryTable(session: session)
    let position = min(last.position, try deliveries.deliveredUpTo() ?? last.position)
    guard let first = oldest.first, first.position <= position else { return 0 }
    try deliveries.forget(upTo: position)
    try session.run(Self.setFloor, [.integer(position)])
    return try session.run(Self.deleteUpTo, [.integer(position)])
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO events (customer_id, scope_id, version, type, fact_id, payload, happened_at_ms,
      mark, causes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let afterPosition = SQLStatement(
    """
    SELECT events.position, events.type, scopes.bundle_id, scopes.environment, customers.name,
      events.version, events.payload, events.happened_at_ms, events.mark, events.causes
    FROM events JOIN scopes ON scopes.id = events.scope_id
    LEFT JOIN customers ON customers.id = events.customer_id
    WHERE events.position > ? ORDER BY events.position LIMIT ?
    """)
  private static let markAt = SQLStatement("SELECT mark FROM events WHERE position = ?")
  private static let forgottenUpTo = SQLStatement("SELECT max(position) FROM event_floors")
  private static let oldest = SQLStatement(
    "SELECT position, happened_at_ms FROM events ORDER BY position LIMIT ?")
  private static let setFloor = SQLStatement(
    """
    INSERT INTO event_floors (id, position) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET position = excluded.position
    """)
  private static let deleteUpTo = SQLStatement("DELETE FROM events WHERE position <= ?")
  private static let lastPosition = SQLStatement("SELECT max(position) FROM events")
}
