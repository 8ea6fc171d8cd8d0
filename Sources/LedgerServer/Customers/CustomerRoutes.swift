import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// What a customer has, and why.
struct CustomerRoutes {
  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get("/v1/customers/{customer}/entitlements", .readers) {
        [self] call throws(Problem) in
        let state = try state(call)
        return reply(call) { writer in
          writer.customer(state.customer)
          writer.member("version", state.version)
          writer.member("untilMs", state.until?.millisecondsSince1970)
          writer.name("entitlements")
          writer.array { writer in
            for decision in state.decisions { writer.decision(decision) }
          }
        } asOf: {
          state.asOf
        }
      }.reading(Self.at),
      Route.get("/v1/customers/{customer}/entitlements/{entitlement}", .readers) {
        [self] call throws(Problem) in
        let entitlement = try call.entitlement()
        let state = try state(call, on: entitlement)
        let decision = state.decision(on: entitlement)
        return reply(call) { writer in
          writer.customer(state.customer)
          writer.member("version", state.version)
          writer.name("decision")
          writer.decision(decision)
        } asOf: {
          state.asOf
        }
      }.reading(Self.at),
      Route.get("/v1/customers/{customer}/timeline", .readers) { [self] call throws(Problem) in
        try timeline(call)
      }.reading(.after, .limit),
    ].reading(.app)
  }

  private static let at = QueryParameter.moment("at", "The moment that is asked about.")

  private func state(
    _ call: Call, on entitlement: String? = nil
  ) throws(Problem) -> CustomerState {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let moment = try call.moment()
    return try readers.read { (reader) throws(StoreError) in
      if let moment { return try reader.answer(of: customer, at: moment) }
      let now = clock.now()
      if let entitlement { return try reader.answer(of: customer, on: entitlement, now: now) }
      return try reader.answer(of: customer, now: now)
    }
  }

  /// The answer with the hash of what it says as its tag; the moment it was given at is left out of it.
  ///
  /// The next fact may change it at any time, so a cache asks each time and is told 304.
  private func reply(
    _ call: Call, _ members: (inout JSONWriter) -> Void, asOf: () -> Timestamp
  ) -> HTTPResponse {
    var said = JSONWriter()
    said.object(members)
    let tag = "\"" + Fingerprint(hashing: said.bytes).hexadecimal.prefix(32) + "\""
    let headers = [("ETag", tag), ("Cache-Control", "private, max-age=0, must-revalidate")]
    var response = HTTPResponse(status: 304)
    if call.request.headers["if-none-match"] != tag {
      let whole = said.extended { $0.member("asOfMs", asOf().millisecondsSince1970) }
      response = .json(whole.bytes)
    }
    return headers.reduce(response) { $0.with($1.0, $1.1) }
  }

  private func timeline(_ call: Call) throws(Problem) -> HTTPResponse {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let limit = try call.number("limit", in: 1...500, default: 100)
    let place = try TimelineEntry.Place(cursor: call.request.target["after"])
    let entries = try readers.read { (reader) throws(StoreError) in
      try reader.timeline(of: customer, after: place, limit: Int(limit))
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.customer(customer)
      writer.name("entries")
      writer.array { writer in for entry in entries { writer.entry(entry) } }
      writer.member("next", entries.count == Int(limit) ? entries.last?.place.cursor : nil)
    }
    return .json(writer.bytes)
  }
}

extension TimelineEntry.Place {
  /// Shape: three numbers with dots between them.
  fileprivate var cursor: String { "\(at.millisecondsSince1970).\(rank).\(id)" }

  fileprivate init(cursor: String?) throws(Problem) {
    guard let cursor else {
      self = .start
      return
    }
    let numbers = cursor.split(separator: ".").compactMap { Int64($0) }
    guard numbers.count == 3 else {
      throw Problem(.badParameter, "after is the next of an earlier answer.")
    }
    self.init(
      at: Timestamp(millisecondsSince1970: numbers[0]), rank: numbers[1], id: numbers[2])
  }
}
