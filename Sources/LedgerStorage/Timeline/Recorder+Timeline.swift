import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Everything that was known and told of a customer, oldest first, from the first after `place`.
  ///
  /// It shows the chains that the customer owns today.
  package func timeline(
    of key: CustomerKey, after place: TimelineEntry.Place, limit: Int
  ) throws(StoreError) -> [TimelineEntry] {
    guard let customer = try customers.find(key) else { return [] }
    let id = SQLValue.integer(customer.id)
    let places = try session.rows(
      Self.places,
      [
        id, id, id, id, .moment(place.at), .integer(place.rank), .integer(place.id),
        .integer(Int64(limit)),
      ]
    ) { (row) throws(StoreError) in
      TimelineEntry.Place(
        at: try row.requiredTimestamp(0), rank: try row.requiredInteger(1),
        id: try row.requiredInteger(2))
    }
    return try places.map { (place) throws(StoreError) in
      TimelineEntry(place: place, content: try content(place, key))
    }
  }

  private func content(
    _ place: TimelineEntry.Place, _ customer: CustomerKey
  ) throws(StoreError) -> TimelineEntry.Content {
    switch place.rank {
    case 0: return .sighting(try sighting(place.id, in: customer.scope))
    case 1: return .posting(try posting(place.id))
    default:
      guard let event = try events.after(place.id - 1, limit: 1).first else {
        throw .inconsistent(detail: "an event is missing")
      }
      return .event(event)
    }
  }

  private func sighting(
    _ id: Int64, in scope: Scope
  ) throws(StoreError) -> TimelineEntry.Sighting {
    let found = try session.first(Self.sightingRow, [.integer(id)]) {
      (row) throws(StoreError) in
      let kind = try row.requiredText(1)
      return TimelineEntry.Sighting(
        factID: try row.requiredInteger(0), kind: kind,
        effect: FactTable.Effect(rawValue: try row.requiredText(2)) ?? .opaque,
        reason: row.text(3), channel: try row.requiredText(4), dated: row.timestamp(5),
        originalTransactionId: row.text(6), fact: nil,
        statement: kind == "own" ? row.text(7) : nil)
    }
    guard let found else { throw .inconsistent(detail: "a sighting is missing") }
    guard let channel = Channel(rawValue: found.channel) else { return found }
    let fact = try facts.fact(found.factID, channel: channel, in: scope)
    return TimelineEntry.Sighting(
      factID: found.factID, kind: found.kind, effect: found.effect, reason: found.reason,
      channel: found.channel, dated: found.dated,
      originalTransactionId: found.originalTransactionId, fact: fact, statement: nil)
  }

  private func posting(_ id: Int64) throws(StoreError) -> Posting {
    let found = try session.first(Self.postingRow, [.integer(id)]) {
      (row) throws(StoreError) in
      Posting(
        key: RevocationKey(
          transactionId: try row.requiredText(0), revocationDate: try row.requiredTimestamp(1)),
        amount: Money(
          milliunits: try row.requiredInteger(2),
          currency: Currency(code: try row.requiredText(3))))
    }
    guard let found else { throw .inconsistent(detail: "a posting is missing") }
    return found
  }

  private static let places = SQLStatement(
    """
    SELECT at_ms, rank, id FROM (
      SELECT sightings.received_at_ms AS at_ms, 0 AS rank, sightings.id AS id
      FROM chains JOIN facts ON facts.chain_id = chains.id
      JOIN sightings ON sightings.fact_id = facts.id
      WHERE chains.customer_id = ?
      UNION
      SELECT sightings.received_at_ms, 0, sightings.id
      FROM facts JOIN sightings ON sightings.fact_id = facts.id
      LEFT JOIN chains ON chains.id = facts.chain_id
      WHERE facts.customer_id = ? AND (facts.effect <> 'held' OR chains.customer_id IS NULL)
      UNION
      SELECT postings.posted_at_ms, 1, postings.id
      FROM chains JOIN postings ON postings.chain_id = chains.id WHERE chains.customer_id = ?
      UNION
      SELECT happened_at_ms, 2, position FROM events WHERE customer_id = ?) AS entries
    WHERE (at_ms, rank, id) > (?, ?, ?) ORDER BY at_ms, rank, id LIMIT ?
    """)
  private static let sightingRow = SQLStatement(
    """
    SELECT facts.id, facts.kind, facts.effect, facts.reason, sightings.channel,
      facts.dated_at_ms, chains.original_transaction_id,
      CASE WHEN facts.kind = 'own' THEN CAST(facts.payload AS TEXT) END
    FROM sightings JOIN facts ON facts.id = sightings.fact_id
    LEFT JOIN chains ON chains.id = facts.chain_id
    WHERE sightings.id = ?
    """)
  private static let postingRow = SQLStatement(
    """
    SELECT transaction_id, revoked_at_ms, amount_milliunits, currency
    FROM postings WHERE id = ?
    """)
}
