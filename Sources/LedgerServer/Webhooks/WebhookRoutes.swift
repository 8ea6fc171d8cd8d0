import AppStoreModel
import HTTPListener
import LedgerStorage

/// Endpoints, and what was sent to them: for administrators alone.
struct WebhookRoutes {
  private static let path = "/v1/webhooks"
  private static let one = "/v1/webhooks/{id}"

  let administration: WebhookAdministration
  let readers: ReaderPool

  var routes: [Route] {
    readings + [
      order("POST", Self.path, WebhookOrder.shape, status: 201) { call, reach throws(Problem) in
        guard let environment = call.key?.environment else { throw Problem(.unauthenticated) }
        return try .creation(try call.json(), within: reach, environment: environment)
      },
      order("PATCH", Self.one, WebhookOrder.shape) { call, reach throws(Problem) in
        try .change(try call.json(), within: reach)
      },
      order("DELETE", Self.one, .none) { _, _ throws(Problem) in .remove },
      order("POST", Self.one + "/secret", .members("overlapHours")) { call, _ throws(Problem) in
        try .rotation(call.request.body.isEmpty ? nil : try call.json())
      },
      order("POST", Self.one + "/disable", .none) { _, _ throws(Problem) in .disable },
      order("POST", Self.one + "/wake", .none) { _, _ throws(Problem) in .wake },
      order("POST", Self.one + "/test", .none) { _, _ throws(Problem) in .test },
      order("POST", Self.one + "/replay", WebhookOrder.replayShape, status: 202) {
        call, _ throws(Problem) in
        try .replay(try call.json())
      },
    ]
  }

  private var readings: [Route] {
    [
      Route.get(Self.path, .administrators) { [self] call throws(Problem) in
        .json(
          try readers.read { (reader) throws(StoreError) in
            try WebhookReading(reader: reader, reach: call.webhookReach).all()
          })
      },
      reading(Self.one) { call, reading throws(StoreError) in try reading.one(call["id"]) },
      Route.get(Self.one + "/deliveries", .administrators) { [self] call throws(Problem) in
        let before = try call.number("before", in: 1...Int64.max, default: Int64.max)
        let limit = try call.number("limit", in: 1...500, default: 100)
        return try answer(call) { (reading) throws(StoreError) in
          try reading.deliveries(of: call["id"], before: before, limit: Int(limit))
        }
      }.reading(.text("before", "The next of an earlier answer."), .limit),
      Route.get(Self.one + "/dead-letters", .administrators) { [self] call throws(Problem) in
        let after = try call.number("after", in: 0...Int64.max, default: 0)
        let limit = try call.number("limit", in: 1...500, default: 100)
        return try answer(call) { (reading) throws(StoreError) in
          try reading.deadLetters(of: call["id"], after: after, limit: Int(limit))
        }
      }.reading(.after, .limit),
    ]
  }

  private func reading(
    _ pattern: String,
    _ body: @escaping @Sendable (Call, WebhookReading) throws(StoreError) -> [UInt8]?
  ) -> Route {
    Route.get(pattern, .administrators) { [self] call throws(Problem) in
      try answer(call) { (reading) throws(StoreError) in try body(call, reading) }
    }
  }

  private func answer(
    _ call: Call, _ body: (WebhookReading) throws(StoreError) -> [UInt8]?
  ) throws(Problem) -> HTTPResponse {
    let json = try readers.read { (reader) throws(StoreError) in
      try body(WebhookReading(reader: reader, reach: call.webhookReach))
    }
    guard let json else { throw Problem(.unknownWebhook) }
    return .json(json)
  }

  private func order(
    _ method: String, _ pattern: String, _ body: BodyShape, status: Int = 200,
    _ read: @escaping @Sendable (Call, WebhookReach) throws(Problem) -> WebhookOrder
  ) -> Route {
    Route.write(method, pattern, .administrators, body) {
      [administration] call, completion throws(Problem) in
      let reach = call.webhookReach
      let order = try read(call, reach)
      try administration.carryOut(order, on: call.parameters["id"] ?? "", within: reach) {
        result in completion(result.map { .json($0, status: status) })
      }
    }
  }
}

extension Call {
  /// What the key may see.
  fileprivate var webhookReach: WebhookReach {
    WebhookReach(bundleIds: key?.bundleIds ?? [], environment: key?.environment)
  }
}
