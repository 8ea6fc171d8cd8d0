import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// News: page by page, awaited, or as a stream.
struct EventRoutes {
  let readers: ReaderPool
  let feed: EventFeed
  let seats: StreamSeats
  let keys: KeyRing

  var routes: [Route] {
    [
      Route.ask("/v1/events", .readers) { [self] call, completion throws(Problem) in
        try pull(call, completion)
      }.reading(
        Self.after, Self.types, .app,
        .number("limit", Self.limits, default: 100, "How many events at most."),
        .number("wait", Self.waits, default: 0, "How many seconds to wait for one to come.")),
      Route.get("/v1/events/stream", .readers) { [self] call throws(Problem) in
        try stream(call)
      }.reading(Self.after, Self.types, .app),
    ]
  }

  static let limits: ClosedRange<Int64> = 1...500
  static let waits: ClosedRange<Int64> = 0...60
  private static let after = QueryParameter.text("after", "The id or the position of an event.")
  private static let types = QueryParameter.text("types", "Types of events, with commas between.")

  private func stream(_ call: Call) throws(Problem) -> HTTPResponse {
    guard let key = call.key else { preconditionFailure("Events are only read with a key.") }
    let filter = try EventFilter(call)
    guard call.request.headers.count(of: "last-event-id") < 2 else {
      throw Problem(.badParameter, "Last-Event-ID is stated more than once.")
    }
    let presented = call.request.headers["last-event-id"].flatMap { $0.isEmpty ? nil : $0 }
    let cursor = try EventRoutes.cursor(
      presented ?? call.request.target["after"],
      called: presented == nil ? "after" : "Last-Event-ID")
    let start = if let cursor { try checked(cursor) } else { try end() }
    let (name, peer, seats) = (key.name, call.request.peer, seats)
    try seats.take(key: name, peer: peer)
    let stream = EventStream(after: start, filter, key: key, feed: feed) {
      seats.giveBack(key: name, peer: peer)
    }
    // A key may be revoked between its check and the stream's being known to the feed.
    if !keys.isGood(key) { stream.end(.keyRevoked) }
    return HTTPResponse(type: "text/event-stream", stream: stream)
      .with("Cache-Control", "no-store").with("X-Accel-Buffering", "no")
  }

  /// Where a stream begins that names no cursor: only what is yet to come is sent.
  private func end() throws(Problem) -> EventCursor {
    try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in try recorder.lastCursor() }
    }
  }

  /// Reads a cursor as it is presented.
  static func cursor(
    _ text: String?, called name: String
  ) throws(Problem) -> EventCursor? {
    guard let text else { return nil }
    guard let cursor = EventCursor(text) else {
      throw Problem(.badParameter, "\(name) is the id or the position of an event.")
    }
    return cursor
  }

  /// A cursor after which nothing is missing.
  func checked(_ cursor: EventCursor) throws(Problem) -> EventCursor {
    let standing = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in try recorder.standing(of: cursor) }
    }
    switch standing {
    case .good: return cursor
    case .expired(let oldest): throw Problem(cursorExpired: oldest)
    case .foreign(let last): throw Problem(foreignCursor: last)
    }
  }
}

extension Problem {
  fileprivate init(cursorExpired oldest: Int64) {
    self.init(
      .cursorExpired,
      "Events up to position \(oldest) are no longer kept. Read the present state of your customers "
        + "(GET /v1/customers/{customer}/entitlements), then go on with after=\(oldest).")
  }

  fileprivate init(foreignCursor last: Int64) {
    self.init(
      .cursorUnknown,
      "The last event here is at position \(last), and this cursor is of another ledger, or of this "
        + "one before a backup was put back. Read the present state of your customers, then go on "
        + "with after=\(last).")
  }
}
