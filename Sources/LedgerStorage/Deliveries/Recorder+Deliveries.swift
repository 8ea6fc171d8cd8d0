package import AppStoreModel

extension Recorder {
  package func deliveryTracks() throws(StoreError) -> [DeliveryTrack] {
    try DeliveryTable(session: session).tracks()
  }

  package func deliveryLanes(of track: Int64) throws(StoreError) -> [DeliveryLane] {
    try DeliveryTable(session: session).lanes(of: track)
  }

  /// Writes what delivering to destinations of one kind changed, in its order.
  package func carryOut(
    _ steps: [DeliveryStep], for kind: Destination.Kind
  ) throws(StoreError) {
    let disabled = try DeliveryTable(session: session).carryOut(steps, kind)
    for (destination, moment) in disabled { try tellDisabled(destination, now: moment) }
    if kind == .forwarding { try ArrivalTable(session: session).dropForwarded() }
  }

  package func lastOutgoing(_ kind: Destination.Kind) throws(StoreError) -> Int64 {
    try OutgoingTable(session: session).last(kind)
  }

  /// What comes after a position, up to another.
  package func outgoing(
    _ kind: Destination.Kind, after position: Int64, through end: Int64, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    try OutgoingTable(session: session).items(kind, after: position, through: end, limit: limit)
  }

  /// A customer's events after a position, up to another.
  package func outgoing(
    ofCustomer customerID: Int64, after position: Int64, through end: Int64, limit: Int
  ) throws(StoreError) -> [OutgoingItem] {
    try OutgoingTable(session: session).items(
      ofCustomer: customerID, after: position, through: end, limit: limit)
  }

  /// The last position before everything that happened at a moment or later.
  package func eventPosition(before moment: Timestamp) throws(StoreError) -> Int64 {
    try OutgoingTable(session: session).position(before: moment)
  }

  /// Attempts of a destination, the latest first.
  package func deliveryAttempts(
    of destination: Int64, before id: Int64, limit: Int
  ) throws(StoreError) -> [(id: Int64, attempt: DeliveryAttempt)] {
    try DeliveryTable(session: session).attempts(of: destination, before: id, limit: limit)
  }

  package func deadLetters(
    of destination: Int64, after position: Int64, limit: Int
  ) throws(StoreError) -> [DeadLetter] {
    try DeliveryTable(session: session).letters(of: destination, after: position, limit: limit)
  }

  /// The customer's first dead event after a position, up to another.
  package func deadEvent(
    of destination: Int64, ofCustomer customer: Int64, after position: Int64, through end: Int64
  ) throws(StoreError) -> Int64? {
    try DeliveryTable(session: session).deadEvent(
      of: destination, ofCustomer: customer, after: position, through: end)
  }

  package func countDeadLetters(of destination: Int64) throws(StoreError) -> Int64 {
    try DeliveryTable(session: session).count(lettersOf: destination)
  }

  /// How many customers' news wait for another attempt.
  package func countLanes(of destination: Int64) throws(StoreError) -> Int64 {
    try DeliveryTable(session: session).count(lanesOf: destination)
  }
}

extension Recorder {
  /// Stores a delivery together with the body it came in, which is to be forwarded.
  package func record(
    _ delivery: Delivery, from arrival: Arrival
  ) throws(StoreError) -> DeliveryReceipt {
    let receipt = try record(delivery)
    guard receipt.outcome != .repeated else { return receipt }
    let text = try facts.signedRecord(receipt.factID)?.compactForm()
    try ArrivalTable(session: session).insert(
      arrival, fact: text.map { (receipt.factID, $0) })
    return receipt
  }

  /// Keeps a body that is to be forwarded although nothing could be made of it.
  package func keep(_ arrival: Arrival) throws(StoreError) {
    try ArrivalTable(session: session).insert(arrival, fact: nil)
  }

  package func arrival(_ position: Int64) throws(StoreError) -> Arrival? {
    try ArrivalTable(session: session).find(position)
  }
}
