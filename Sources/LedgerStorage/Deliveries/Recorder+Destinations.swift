package import AppStoreModel
import EntitlementLedger

/// What of the past is to be sent again.
package enum DeliveryRepetition: Hashable, Sendable {
  /// One event, by its id or its position.
  case event(EventCursor)
  /// What happened from one moment on, and before another.
  case since(Timestamp, until: Timestamp?)
  /// What was given up.
  case deadLetters
}

extension Recorder {
  private var destinationTable: DestinationTable { DestinationTable(session: session) }

  /// In order of making.
  package func destinations() throws(StoreError) -> [Destination] {
    try destinationTable.all()
  }

  /// Those that are sent nothing at the moment.
  package func disabledDestinations() throws(StoreError) -> Set<Int64> {
    try destinationTable.disabled()
  }

  package func destination(named name: String) throws(StoreError) -> Destination? {
    try destinationTable.find(name)
  }

  /// Makes a destination: it gets what comes from now on.
  ///
  /// - Returns: It; `nil` when there are `limit` of its kind.
  package func add(
    _ new: NewDestination, limit: Int, now: Timestamp
  ) throws(StoreError) -> Destination? {
    let others = try destinationTable.all().filter { $0.kind == new.kind }
    guard others.count < limit else { return nil }
    try destinationTable.insert(new, cursor: try lastOutgoing(new.kind), at: now)
    return try destinationTable.find(new.name)
  }

  /// Has Apple's notifications forwarded to these addresses, and to no others.
  package func forward(to urls: [String], now: Timestamp) throws(StoreError) {
    let known = try destinationTable.all().filter { $0.kind == .forwarding }
    for destination in known where !urls.contains(destination.url) { try remove(destination) }
    for url in urls where !known.contains(where: { $0.url == url }) {
      let name = "fw_" + Fingerprint(hashing: Array(url.utf8)).hexadecimal.prefix(24)
      _ = try add(NewDestination(name: name, kind: .forwarding, url: url), limit: .max, now: now)
    }
  }

  package func change(
    _ destination: Destination, _ change: DestinationChange
  ) throws(StoreError) -> Destination? {
    try destinationTable.update(destination, change)
    return try destinationTable.find(destination.name)
  }

  package func remove(_ destination: Destination) throws(StoreError) {
    try destinationTable.delete(destination.id)
    if destination.kind == .forwarding { try ArrivalTable(session: session).dropForwarded() }
  }

  /// The secrets that deliveries are signed with at a moment, the newest first.
  package func secrets(
    of destination: Destination, at now: Timestamp
  ) throws(StoreError) -> [DestinationSecret] {
    try destinationTable.secrets(of: destination.id, at: now)
  }

  /// Puts a new secret in force; the one before counts until `end`.
  package func rotate(
    _ destination: Destination, to secret: [UInt8], until end: Timestamp, now: Timestamp
  ) throws(StoreError) {
    try destinationTable.rotate(to: secret, of: destination.id, until: end, at: now)
  }

  /// - Returns: Whether anything was sent before.
  package func disable(
    _ destination: Destination, _ reason: Destination.Stop, now: Timestamp
  ) throws(StoreError) -> Bool {
    let isNew = try destinationTable.disable(destination.id, reason, at: now)
    if isNew { try tellDisabled(destination.id, now: now) }
    return isNew
  }

  /// Has everything that waits sent at once, and the schedule begin anew.
  package func wake(_ destination: Destination, now: Timestamp) throws(StoreError) {
    let known = try destinationTable.find(destination.name)
    try destinationTable.enable(destination.id, at: now)
    if known?.disabledAt != nil { try tellWoken(destination.id, now: now) }
  }

  /// Has something of the past sent again, beside what is new.
  ///
  /// - Returns: Whether there is anything to send; `nil` when `limit` repetitions are under way.
  package func `repeat`(
    _ what: DeliveryRepetition, to destination: Destination, limit: Int, now: Timestamp
  ) throws(StoreError) -> Bool? {
    let tracks = try deliveryTracks().filter { $0.destinationID == destination.id }
    guard tracks.count <= limit else { return nil }
    if case .deadLetters = what { return try repeatDeadLetters(destination, at: now) }
    // What was forwarded is not kept: there is no past to send again.
    guard destination.kind == .webhook else { return false }
    guard let (after, through) = try range(of: what, in: destination) else { return false }
    _ = try destinationTable.insertTrack(
      of: destination.id, cursor: after, end: through, at: now)
    return true
  }

  /// Events after one position, up to another.
  private func range(
    of what: DeliveryRepetition, in destination: Destination
  ) throws(StoreError) -> (after: Int64, through: Int64)? {
    let after: Int64
    let through: Int64
    switch what {
    case .event(let cursor):
      guard try standing(of: cursor) == .good, try events.mark(at: cursor.position) != nil else {
        return nil
      }
      (after, through) = (cursor.position - 1, cursor.position)
    case .since(let moment, let end):
      after = try eventPosition(before: moment)
      if let end {
        through = try eventPosition(before: end)
      } else {
        through = try lastOutgoing(.webhook)
      }
    case .deadLetters: return nil
    }
    return after < through ? (after, through) : nil
  }

  /// What is dead, with whose it is: Apple's notifications are nobody's.
  private func deadItems(
    _ destination: Destination, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    let table = DeliveryTable(session: session)
    switch destination.kind {
    case .webhook: return try table.deadEvents(of: destination.id, limit: limit)
    case .forwarding:
      return try table.letters(of: destination.id, after: 0, limit: limit)
        .map { OutgoingItem(position: $0.position, customerID: nil) }
    }
  }

  private func repeatDeadLetters(
    _ destination: Destination, at now: Timestamp
  ) throws(StoreError) -> Bool {
    let letters = try deadItems(destination, limit: 10_000)
    guard let last = letters.last else { return false }
    let track = try destinationTable.insertTrack(
      of: destination.id, cursor: last.position, end: last.position, isOfDeadLetters: true, at: now)
    // The first of each customer; each that arrives brings the next.
    var begun: Set<Int64> = []
    let firsts = letters.filter { $0.customerID.map { begun.insert($0).inserted } ?? true }
    let lanes = firsts.map { letter in
      DeliveryStep.hold(
        track: track,
        DeliveryLane(
          customerID: letter.customerID, position: letter.position, attempts: 0, due: now))
    }
    try carryOut(lanes, for: destination.kind)
    return true
  }
}
