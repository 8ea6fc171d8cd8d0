import AppStoreModel

/// Keeps how far each destination has got, what waits, what was given up, and what was tried.
struct DeliveryTable {
  let session: any SQLSession

  func tracks() throws(StoreError) -> [DeliveryTrack] {
    try session.rows(Self.tracks, []) { (row) throws(StoreError) in
      DeliveryTrack(
        id: try row.requiredInteger(0), destinationID: try row.requiredInteger(1),
        cursor: try row.requiredInteger(2), end: row.integer(3),
        isOfDeadLetters: row.integer(4) == 1)
    }
  }

  func lanes(of track: Int64) throws(StoreError) -> [DeliveryLane] {
    try session.rows(Self.lanes, [.integer(track)]) { (row) throws(StoreError) in
      DeliveryLane(
        customerID: row.integer(0), position: try row.requiredInteger(1),
        attempts: Int(try row.requiredInteger(2)), due: try row.requiredTimestamp(3))
    }
  }

  /// Writes what happened to destinations of one kind, in its order.
  ///
  /// - Returns: Those that are sent nothing any more, and were until now.
  func carryOut(
    _ steps: [DeliveryStep], _ kind: Destination.Kind
  ) throws(StoreError) -> [(destination: Int64, at: Timestamp)] {
    let destinations = Set(try session.rows(Self.destinationIDs, [], Self.id))
    let tracks = Set(try tracks().map(\.id))
    var logged: Set<Int64> = []
    var disabled: [(destination: Int64, at: Timestamp)] = []
    // A destination may have been removed meanwhile.
    for step in steps where step.belongs(to: destinations, tracks) {
      if case .disable(let destination, let reason, let moment) = step {
        let isNew = try DestinationTable(session: session).disable(destination, reason, at: moment)
        if isNew { disabled.append((destination, moment)) }
      } else {
        try carryOut(step, kind)
      }
      if case .log(let destination, _) = step { logged.insert(destination) }
    }
    for destination in logged {
      try session.run(
        Self.trimLog,
        [
          .integer(destination), .integer(destination),
          .integer(Int64(DeliveryAttempt.remembered)),
        ])
    }
    return disabled
  }

  private static func id(_ row: any SQLRow) throws(StoreError) -> Int64 {
    try row.requiredInteger(0)
  }

  private func carryOut(_ step: DeliveryStep, _ kind: Destination.Kind) throws(StoreError) {
    switch step {
    case .advance(let track, let cursor):
      try session.run(Self.advance, [.integer(cursor), .integer(track)])
    case .hold(let track, let lane): try hold(lane, track, kind)
    case .free(let track, let position):
      try session.run(Self.free, [.integer(track), .integer(position), .integer(position)])
    case .finish(let track): try session.run(Self.finish, [.integer(track)])
    case .bury(let destination, let letter): try bury(letter, destination, kind)
    case .exhume(let destination, let position):
      try session.run(Self.exhume, [.integer(destination), .integer(position), .integer(position)])
    case .log(let destination, let attempt): try log(attempt, destination)
    case .failing(let destination, let since):
      try DestinationTable(session: session).setFailing(destination, since: since)
    case .disable: break
    }
  }

  private func hold(
    _ lane: DeliveryLane, _ track: Int64, _ kind: Destination.Kind
  ) throws(StoreError) {
    let (event, arrival) = Self.columns(lane.position, kind)
    let changed = try session.run(
      Self.renewLane,
      [
        .integer(Int64(lane.attempts)), .moment(lane.due), .integer(track),
        .integer(lane.position), .integer(lane.position),
      ])
    guard changed == 0 else { return }
    try session.run(
      Self.insertLane,
      [
        .integer(track), .integer(lane.customerID), event, arrival,
        .integer(Int64(lane.attempts)), .moment(lane.due),
      ])
  }

  private func bury(
    _ letter: DeadLetter, _ destination: Int64, _ kind: Destination.Kind
  ) throws(StoreError) {
    let (event, arrival) = Self.columns(letter.position, kind)
    try session.run(
      Self.exhume, [.integer(destination), .integer(letter.position), .integer(letter.position)])
    try session.run(
      Self.insertLetter,
      [
        .integer(destination), event, arrival, .integer(Int64(letter.attempts)),
        .integer(letter.status.map { Int64($0) }), .text(letter.failure), .moment(letter.diedAt),
      ])
  }

  private func log(_ attempt: DeliveryAttempt, _ destination: Int64) throws(StoreError) {
    try session.run(
      Self.insertAttempt,
      [
        .integer(destination), .integer(attempt.position), .integer(Int64(attempt.attempt)),
        .text(attempt.result.rawValue), .integer(attempt.status.map { Int64($0) }),
        .text(attempt.failure), .moment(attempt.startedAt),
        .integer(max(attempt.took.milliseconds, 0)),
      ])
  }

  /// Up to where every endpoint that is sent to has passed the events; `nil` without endpoints.
  func deliveredUpTo() throws(StoreError) -> Int64? {
    try session.number(Self.leastCursor, [])
  }

  /// Gives up what waits for events that are no longer kept.
  func forget(upTo position: Int64) throws(StoreError) {
    try session.run(Self.forgetLanes, [.integer(position)])
    try session.run(Self.forgetLetters, [.integer(position)])
  }

  func attempts(
    of destination: Int64, before id: Int64, limit: Int
  ) throws(StoreError) -> [(id: Int64, attempt: DeliveryAttempt)] {
    try session.rows(
      Self.attempts, [.integer(destination), .integer(id), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in
      guard let result = DeliveryAttempt.Result(rawValue: try row.requiredText(3)) else {
        throw .inconsistent(detail: "an attempt of unknown result")
      }
      let attempt = DeliveryAttempt(
        position: row.integer(1), attempt: Int(try row.requiredInteger(2)), result: result,
        status: row.integer(4).map { Int($0) }, failure: row.text(5),
        startedAt: try row.requiredTimestamp(6),
        took: TimeSpan(milliseconds: try row.requiredInteger(7)))
      return (try row.requiredInteger(0), attempt)
    }
  }

  func letters(
    of destination: Int64, after position: Int64, limit: Int
  ) throws(StoreError) -> [DeadLetter] {
    try session.rows(
      Self.letters, [.integer(destination), .integer(position), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in
      DeadLetter(
        position: try row.requiredInteger(0), attempts: Int(try row.requiredInteger(1)),
        status: row.integer(2).map { Int($0) }, failure: row.text(3),
        diedAt: try row.requiredTimestamp(4))
    }
  }

  /// The events that are dead, with whose they are, the oldest first.
  func deadEvents(
    of destination: Int64, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    try session.rows(Self.deadEvents, [.integer(destination), .integer(Int64(limit))]) {
      (row) throws(StoreError) in
      OutgoingItem(position: try row.requiredInteger(0), customerID: row.integer(1))
    }
  }

  /// The customer's first dead event after a position, up to another.
  func deadEvent(
    of destination: Int64, ofCustomer customer: Int64, after position: Int64, through end: Int64
  ) throws(StoreError) -> Int64? {
    try session.number(
      Self.nextDeadEvent,
      [.integer(destination), .integer(customer), .integer(position), .integer(end)])
  }

  func count(lettersOf destination: Int64) throws(StoreError) -> Int64 {
    try session.number(Self.letterCount, [.integer(destination)]) ?? 0
  }

  func count(lanesOf destination: Int64) throws(StoreError) -> Int64 {
    try session.number(Self.laneCount, [.integer(destination)]) ?? 0
  }

  /// Positions number events or arrivals: never both.
  private static func columns(
    _ position: Int64, _ kind: Destination.Kind
  ) -> (event: SQLValue, arrival: SQLValue) {
    switch kind {
    case .webhook: (.integer(position), .null)
    case .forwarding: (.null, .integer(position))
    }
  }
}

extension DeliveryTable {
  private static let destinationIDs = SQLStatement("SELECT id FROM destinations")
  private static let tracks = SQLStatement(
    """
    SELECT id, destination_id, cursor_position, end_position, of_dead_letters
    FROM delivery_tracks ORDER BY id
    """)
  private static let lanes = SQLStatement(
    """
    SELECT customer_id, coalesce(event_position, arrival_position), attempts, due_at_ms
    FROM delivery_lanes WHERE track_id = ?
    """)
  private static let advance = SQLStatement(
    "UPDATE delivery_tracks SET cursor_position = ? WHERE id = ?")
  private static let finish = SQLStatement("DELETE FROM delivery_tracks WHERE id = ?")
  private static let renewLane = SQLStatement(
    """
    UPDATE delivery_lanes SET attempts = ?, due_at_ms = ?
    WHERE track_id = ? AND (event_position = ? OR arrival_position = ?)
    """)
  private static let insertLane = SQLStatement(
    """
    INSERT INTO delivery_lanes (track_id, customer_id, event_position, arrival_position, attempts,
      due_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)
    """)
  private static let free = SQLStatement(
    """
    DELETE FROM delivery_lanes
    WHERE track_id = ? AND (event_position = ? OR arrival_position = ?)
    """)
  private static let insertLetter = SQLStatement(
    """
    INSERT INTO dead_letters (destination_id, event_position, arrival_position, attempts, status,
      failure, died_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """)
  private static let exhume = SQLStatement(
    """
    DELETE FROM dead_letters
    WHERE destination_id = ? AND (event_position = ? OR arrival_position = ?)
    """)
  private static let deadEvents = SQLStatement(
    """
    SELECT dead_letters.event_position, events.customer_id
    FROM dead_letters JOIN events ON events.position = dead_letters.event_position
    WHERE dead_letters.destination_id = ? ORDER BY dead_letters.event_position LIMIT ?
    """)
  private static let nextDeadEvent = SQLStatement(
    """
    SELECT min(dead_letters.event_position)
    FROM dead_letters JOIN events ON events.position = dead_letters.event_position
    WHERE dead_letters.destination_id = ? AND events.customer_id = ?
      AND dead_letters.event_position > ? AND dead_letters.event_position <= ?
    """)
  private static let insertAttempt = SQLStatement(
    """
    INSERT INTO delivery_attempts (destination_id, position, attempt, result, status, failure,
      started_at_ms, took_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let trimLog = SQLStatement(
    """
    DELETE FROM delivery_attempts WHERE destination_id = ? AND id <= (
      SELECT id FROM delivery_attempts WHERE destination_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
    """)
  private static let leastCursor = SQLStatement(
    """
    SELECT min(cursor_position) FROM delivery_tracks
    JOIN destinations ON destinations.id = delivery_tracks.destination_id
    WHERE destinations.kind = 'webhook' AND destinations.disabled_at_ms IS NULL
    """)
  private static let forgetLanes = SQLStatement(
    "DELETE FROM delivery_lanes WHERE event_position <= ?")
  private static let forgetLetters = SQLStatement(
    "DELETE FROM dead_letters WHERE event_position <= ?")
  private static let attempts = SQLStatement(
    """
    SELECT id, position, attempt, result, status, failure, started_at_ms, took_ms
    FROM delivery_attempts WHERE destination_id = ? AND id < ? ORDER BY id DESC LIMIT ?
    """)
  private static let letters = SQLStatement(
    """
    SELECT coalesce(event_position, arrival_position) AS position, attempts, status, failure,
      died_at_ms
    FROM dead_letters
    WHERE destination_id = ? AND coalesce(event_position, arrival_position) > ?
    ORDER BY position LIMIT ?
    """)
  private static let letterCount = SQLStatement(
    "SELECT count(*) FROM dead_letters WHERE destination_id = ?")
  private static let laneCount = SQLStatement(
    """
    SELECT count(*) FROM delivery_lanes
    WHERE track_id IN (SELECT id FROM delivery_tracks WHERE destination_id = ?)
    """)
}
