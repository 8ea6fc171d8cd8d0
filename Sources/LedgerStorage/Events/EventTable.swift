import AppStoreModel
import EntitlementLedger

/// The outbox: events are written with what caused them and read in order.
struct EventTable {
  let session: any SQLSession
  let realm: Realm

  func append(
    _ event: LedgerEvent, customerID: Int64?, scopeID: Int64, version: Int64, factID: Int64?,
    at now: Timestamp
  ) throws(StoreError) -> Int64 {
    try append(
      type: event.kind.rawValue, payload: event.json, customerID: customerID, scopeID: scopeID,
      version: version, factID: factID, at: now)
  }

  func append(
    type: String, payload: [UInt8], customerID: Int64?, scopeID: Int64, version: Int64,
    factID: Int64?, at now: Timestamp
  ) throws(StoreError) -> Int64 {
    try session.insert(
      Self.insert,
      [
        .integer(customerID), .integer(scopeID), .integer(version), .text(type),
        .integer(factID), .text(String(decoding: payload, as: UTF8.self)), .moment(now),
      ])
  }

  func after(_ position: Int64, limit: Int) throws(StoreError) -> [StoredEvent] {
    try session.rows(Self.afterPosition, [.integer(position), .integer(Int64(limit))]) {
      (row) throws(StoreError) in
      StoredEvent(
        position: try row.requiredInteger(0), type: try row.requiredText(1),
        scope: Scope(
          realm: realm, bundleId: try row.requiredText(2),
          environment: AppStoreEnvironment(rawValue: try row.requiredText(3))),
        customer: row.text(4).flatMap { CustomerID($0) },
        version: try row.requiredInteger(5), payload: try row.requiredText(6),
        happenedAt: try row.requiredTimestamp(7))
    }
  }

  func last() throws(StoreError) -> Int64 {
    try session.number(Self.lastPosition, []) ?? 0
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO events (customer_id, scope_id, version, type, fact_id, payload, happened_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """)
  private static let afterPosition = SQLStatement(
    """
    SELECT events.position, events.type, scopes.bundle_id, scopes.environment, customers.name,
      events.version, events.payload, events.happened_at_ms
    FROM events JOIN scopes ON scopes.id = events.scope_id
    LEFT JOIN customers ON customers.id = events.customer_id
    WHERE events.position > ? ORDER BY events.position LIMIT ?
    """)
  private static let lastPosition = SQLStatement("SELECT max(position) FROM events")
}
