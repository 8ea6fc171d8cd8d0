import AppStoreModel
package import EntitlementLedger

extension FactTable {
  /// Puts a stored JWS together again, with those inside it; `nil` for a fact nobody signed,
  /// and for one whose body was erased.
  package func signedRecord(_ factID: Int64) throws(StoreError) -> SignedRecord? {
    let parts = try partIDs(of: factID)
    var records: [SignedRecord] = []
    var texts: [(offset: Int, text: [UInt8])] = []
    for part in parts {
      guard let record = try signedRecord(part.id) else { continue }
      records.append(record)
      if let offset = part.offset { texts.append((offset, record.compactForm())) }
    }
    return try session.first(Self.byID, [.integer(factID)]) { (row) throws(StoreError) in
      guard let kind = SignedRecord.Kind(rawValue: try row.requiredText(0)),
        let segment = row.bytes(3), row.bytes(2)?.isEmpty == false
      else { return nil }
      return SignedRecord(
        kind: kind, headerSegment: segment, headerSHA256: try row.requiredBytes(4),
        payload: CutPayload.whole(try row.requiredBytes(1), texts),
        signature: try row.requiredBytes(2), judgedAt: try row.requiredTimestamp(5),
        parts: records)
    } ?? nil
  }

  /// The facts that act on a chain, with each channel that brought them.
  func facts(ofChain chainID: Int64, in scope: Scope) throws(StoreError) -> [LedgerFact] {
    let rows = try session.rows(Self.byChain, [.integer(chainID), .integer(chainID)]) {
      (row) throws(StoreError) in (try row.requiredInteger(0), try row.requiredText(1))
    }
    var facts: [LedgerFact] = []
    for (id, name) in rows {
      guard let channel = Channel(rawValue: name) else { continue }
      if let fact = try fact(id, channel: channel, in: scope) { facts.append(fact) }
    }
    return facts
  }

  /// Reads a stored fact back as what the ledger takes; `nil` for one that it cannot use.
  package func fact(
    _ id: Int64, channel: Channel, in scope: Scope
  ) throws(StoreError) -> LedgerFact? {
    let kind = try session.first(Self.kindAndPayload, [.integer(id)]) {
      (row) throws(StoreError) in (try row.requiredText(0), try row.requiredBytes(1))
    }
    guard let kind else { return nil }
    if kind.0 == "reportedStatus" {
      return try reportedStatus(id, json: kind.1, channel: channel, in: scope)
    }
    guard let record = try signedRecord(id) else { return nil }
    return RestoredFact(scope: scope, channel: channel).fact(of: record)
  }

  private func reportedStatus(
    _ id: Int64, json: [UInt8], channel: Channel, in scope: Scope
  ) throws(StoreError) -> LedgerFact? {
    var records: [SignedRecord] = []
    for part in try partIDs(of: id) {
      if let record = try signedRecord(part.id) { records.append(record) }
    }
    return RestoredFact(scope: scope, channel: channel).reportedStatus(json, records)
  }

  private func partIDs(of factID: Int64) throws(StoreError) -> [(id: Int64, offset: Int?)] {
    try session.rows(Self.parts, [.integer(factID)]) { (row) throws(StoreError) in
      (try row.requiredInteger(0), row.integer(1).map { Int($0) })
    }
  }

  private static let byID = SQLStatement(
    """
    SELECT facts.kind, facts.payload, facts.signature, header_segments.segment,
      header_segments.sha256, facts.judged_at_ms
    FROM facts LEFT JOIN header_segments ON header_segments.id = facts.header_id
    WHERE facts.id = ?
    """)
  private static let kindAndPayload = SQLStatement("SELECT kind, payload FROM facts WHERE id = ?")
  private static let parts = SQLStatement(
    "SELECT part_id, byte_offset FROM fact_parts WHERE fact_id = ? ORDER BY place")
  /// Those of a chain, and those of the chains that continue it.
  private static let byChain = SQLStatement(
    """
    SELECT facts.id, sightings.channel
    FROM facts JOIN sightings ON sightings.fact_id = facts.id
    WHERE facts.effect = 'applied' AND (facts.chain_id = ? OR facts.chain_id IN (
      SELECT later.id FROM chains AS earlier
      JOIN transactions
        ON transactions.previous_original_transaction_id = earlier.original_transaction_id
      JOIN chains AS later
        ON later.id = transactions.chain_id AND later.scope_id = earlier.scope_id
      WHERE earlier.id = ?))
    ORDER BY facts.id
    """)
}
