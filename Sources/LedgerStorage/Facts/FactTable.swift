import AppStoreModel

/// Keeps what reached us, byte for byte.
package struct FactTable {
  /// What a stored fact does.
  package enum Effect: String, Hashable, Sendable {
    case applied, held, opaque
    /// It came only inside another.
    case part
  }

  /// A fact that is known already.
  struct Known {
    let id: Int64
    let effect: Effect
  }

  /// What a fact is filed under.
  struct Filing {
    var effect: Effect
    var reason: String?
    var scopeID: Int64?
    var chainID: Int64?
    var customerID: Int64?
    var date: Timestamp?
    /// Whether it is about a purchase whose owner was erased, so that its body is not kept.
    var isErased = false
  }

  let session: any SQLSession
  private let headers: HeaderTable

  package init(session: any SQLSession) {
    self.session = session
    headers = HeaderTable(session: session)
  }

  func find(sha256: [UInt8]) throws(StoreError) -> Known? {
    try session.first(Self.bySHA256, [.bytes(sha256)]) { (row) throws(StoreError) in
      guard let effect = Effect(rawValue: try row.requiredText(1)) else {
        throw .inconsistent(detail: "a fact of unknown effect")
      }
      return Known(id: try row.requiredInteger(0), effect: effect)
    }
  }

  /// Whether this is news: the fact was not seen on this channel before.
  func sight(
    _ factID: Int64, channel: String, at moment: Timestamp
  ) throws(StoreError) -> Bool {
    let added = try session.run(
      Self.insertSighting, [.integer(factID), .text(channel), .moment(moment)])
    return added > 0
  }

  func isSighted(_ factID: Int64, channel: String) throws(StoreError) -> Bool {
    try session.number(Self.sighting, [.integer(factID), .text(channel)]) != nil
  }

  /// Keeps a JWS and those inside it, each once.
  func store(_ record: SignedRecord, _ filing: Filing) throws(StoreError) -> Int64 {
    guard let known = try find(sha256: record.sha256) else { return try add(record, filing) }
    if filing.effect != .part { try refile(known.id, filing) }
    return known.id
  }

  /// Keeps a JWS that is not known yet, and those inside it.
  func add(_ record: SignedRecord, _ filing: Filing) throws(StoreError) -> Int64 {
    let partIDs = try record.parts.map { (part) throws(StoreError) in try storePart(part) }
    let cut = CutPayload(record.payload, parts: record.parts.map { $0.compactForm() })
    let id = try insert(
      kind: record.kind.rawValue, sha256: record.sha256, payload: cut.bytes, filing,
      judgedAt: record.judgedAt, headerID: try headers.findOrMake(record),
      signature: record.signature)
    for (place, partID) in partIDs.enumerated() {
      try session.run(
        Self.insertPart,
        [
          .integer(id), .integer(Int64(place)), .integer(cut.offsets[place].map(Int64.init)),
          .integer(partID),
        ])
    }
    return id
  }

  /// Keeps a JWS that came inside another; most are new, and those that are not are found then.
  func storePart(_ record: SignedRecord) throws(StoreError) -> Int64 {
    let filing = Filing(effect: .part)
    guard record.parts.isEmpty else { return try store(record, filing) }
    let added = try session.insertNew(
      Self.insertNewFact,
      values(
        kind: record.kind.rawValue, sha256: record.sha256, payload: record.payload, filing,
        judgedAt: record.judgedAt, headerID: try headers.findOrMake(record),
        signature: record.signature))
    if let added { return added }
    return try store(record, filing)
  }

  func insert(
    kind: String, sha256: [UInt8], payload: [UInt8], _ filing: Filing, judgedAt: Timestamp,
    headerID: Int64? = nil, signature: [UInt8]? = nil
  ) throws(StoreError) -> Int64 {
    try session.insert(
      Self.insertFact,
      values(
        kind: kind, sha256: sha256, payload: payload, filing, judgedAt: judgedAt,
        headerID: headerID, signature: signature))
  }

  private func values(
    kind: String, sha256: [UInt8], payload: [UInt8], _ filing: Filing, judgedAt: Timestamp,
    headerID: Int64?, signature: [UInt8]?
  ) -> [SQLValue] {
    [
      .bytes(sha256), .text(kind), .text(filing.effect.rawValue), .text(filing.reason),
      .integer(filing.scopeID), .integer(filing.chainID), .integer(filing.customerID),
      .integer(headerID), .bytes(payload), signature.map { .bytes($0) } ?? .null,
      .moment(filing.date), .moment(judgedAt),
    ]
  }

  /// Files a known fact anew: it was a part or held, and now it acts.
  func refile(_ id: Int64, _ filing: Filing) throws(StoreError) {
    try session.run(
      Self.updateFiling,
      [
        .text(filing.effect.rawValue), .text(filing.reason), .integer(filing.scopeID),
        .integer(filing.chainID), .integer(filing.customerID), .moment(filing.date),
        .integer(id),
      ])
  }

  func linkPart(_ factID: Int64, place: Int64, partID: Int64) throws(StoreError) {
    try session.run(
      Self.insertPart, [.integer(factID), .integer(place), .null, .integer(partID)])
  }

  private static let bySHA256 = SQLStatement("SELECT id, effect FROM facts WHERE sha256 = ?")
  private static let factInsertion = """
    INSERT INTO facts (sha256, kind, effect, reason, scope_id, chain_id, customer_id, header_id,
      payload, signature, dated_at_ms, judged_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let insertFact = SQLStatement(factInsertion)
  private static let insertNewFact = SQLStatement(
    factInsertion + " ON CONFLICT (sha256) DO NOTHING")
  private static let updateFiling = SQLStatement(
    """
    UPDATE facts SET effect = ?, reason = ?, scope_id = ?, chain_id = ?, customer_id = ?,
      dated_at_ms = ?
    WHERE id = ?
    """)
  private static let insertPart = SQLStatement(
    "INSERT INTO fact_parts (fact_id, place, byte_offset, part_id) VALUES (?, ?, ?, ?)")
  private static let insertSighting = SQLStatement(
    """
    INSERT INTO sightings (fact_id, channel, received_at_ms) VALUES (?, ?, ?)
    ON CONFLICT (fact_id, channel) DO NOTHING
    """)
  private static let sighting = SQLStatement(
    "SELECT id FROM sightings WHERE fact_id = ? AND channel = ?")
}
