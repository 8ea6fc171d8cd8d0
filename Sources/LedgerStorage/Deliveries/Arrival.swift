package import AppStoreModel

/// The body of a request that Apple posted, kept until it has been forwarded.
package struct Arrival: Hashable, Sendable {
  package let body: [UInt8]
  /// As the request stated it.
  package let contentType: String
  package let receivedAt: Timestamp

  package init(body: [UInt8], contentType: String, receivedAt: Timestamp) {
    self.body = body
    self.contentType = contentType
    self.receivedAt = receivedAt
  }
}

/// Keeps arrivals; of one whose JWS is a stored fact only what stood around it.
struct ArrivalTable {
  let session: any SQLSession

  func insert(_ arrival: Arrival, fact: (id: Int64, text: [UInt8])?) throws(StoreError) {
    let frame = fact.flatMap { Self.frame(of: $0.text, in: arrival.body) }
    _ = try session.insert(
      Self.insert,
      [
        frame == nil ? .null : .integer(fact?.id),
        frame.map { .bytes($0.before) } ?? .null, frame.map { .bytes($0.after) } ?? .null,
        frame == nil ? .bytes(arrival.body) : .null, .text(arrival.contentType),
        .moment(arrival.receivedAt),
      ])
  }

  func find(_ position: Int64) throws(StoreError) -> Arrival? {
    let row = try session.first(Self.find, [.integer(position)]) { (row) throws(StoreError) in
      (
        fact: row.integer(0), before: row.bytes(1) ?? [], after: row.bytes(2) ?? [],
        body: row.bytes(3), type: try row.requiredText(4), at: try row.requiredTimestamp(5)
      )
    }
    guard let row else { return nil }
    let body: [UInt8]
    if let factID = row.fact {
      guard let record = try FactTable(session: session).signedRecord(factID) else {
        throw .inconsistent(detail: "an arrival without its fact")
      }
      body = row.before + record.compactForm() + row.after
    } else {
      body = row.body ?? []
    }
    return Arrival(body: body, contentType: row.type, receivedAt: row.at)
  }

  /// Lets go what nobody waits for any more.
  func dropForwarded() throws(StoreError) {
    try session.run(Self.drop, [])
  }

  /// What stands before and after a text that a body holds letter by letter.
  private static func frame(
    of text: [UInt8], in body: [UInt8]
  ) -> (before: [UInt8], after: [UInt8])? {
    guard let first = text.first, body.count >= text.count else { return nil }
    for start in 0...(body.count - text.count)
    where body[start] == first && body[start..<(start + text.count)].elementsEqual(text) {
      return (Array(body[..<start]), Array(body[(start + text.count)...]))
    }
    return nil
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO arrivals (fact_id, before_fact, after_fact, body, content_type, received_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)
    """)
  private static let find = SQLStatement(
    """
    SELECT fact_id, before_fact, after_fact, body, content_type, received_at_ms
    FROM arrivals WHERE position = ?
    """)
  private static let drop = SQLStatement(
    """
    DELETE FROM arrivals
    WHERE position <= coalesce((
        SELECT min(cursor_position) FROM delivery_tracks
        JOIN destinations ON destinations.id = delivery_tracks.destination_id
        WHERE destinations.kind = 'forwarding'), position)
      AND position NOT IN (
        SELECT arrival_position FROM delivery_lanes WHERE arrival_position IS NOT NULL)
      AND position NOT IN (
        SELECT arrival_position FROM dead_letters WHERE arrival_position IS NOT NULL)
    """)
}
