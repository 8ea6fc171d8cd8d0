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
      type: event.kind.rawValue, payload: event.json(in: standing), customerID: customerID,
      scopeID: scopeID, version: version, cause)
  }

  func append(
    type: String, payload: [UInt8], customerID: Int64?, scopeID: Int64, version: Int64,
    _ cause: Cause
  ) throws(StoreError) -> Int64 {
    let state = String(decoding: payload, as: UTF8.self)
    let place = "\(realm) \(scopeID) \(customerID ?? 0) \(version) \(type)"
    let text = "\(place) \(cause.now.millisecondsSince1970) \(state)"
    let position = try session.insert(
      Self.insert,
      [
        .integer(customerID), .integer(scopeID), .integer(version), .text(type),
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

  func last() throws(StoreError) -> Int64 {
    try session.number(Self.lastPosition, []) ?? 0
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
  private static let lastPosition = SQLStatement("SELECT max(position) FROM events")
}
