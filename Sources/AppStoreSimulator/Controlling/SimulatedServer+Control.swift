package import AppStoreModel

// What stands in for the customers, for Apple's staff and for chance: `/control/…`, JSON, no token.
extension SimulatedServer {
  /// Carries out one control call.
  ///
  /// - Parameters:
  ///   - request: whose path begins with `control`, after `sandbox` for the sandbox.
  ///   - environment: whose store is meant.
  ///   - now: by the host's clock.
  /// - Returns: 200 with an object, 400 for a body that makes no sense, 404 for an unknown control,
  ///   409 for what the store refuses.
  mutating func control(
    _ request: APIRequest, _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer {
    let word = request.segments.dropFirst().joined(separator: "/")
    do {
      if request.method == "GET" { return try report(word, environment, at: now) }
      guard request.method == "POST" else { throw ControlRefusal.unknown(word) }
      let body = try ControlBody(request.body)
      if let answer = try sell(word, body, environment, at: now) { return answer }
      return try set(word, body, at: now)
    } catch let refusal as ControlRefusal {
      return .refusal(refusal.status, refusal.description)
    } catch let refusal as StoreRefusal {
      return .refusal(409, refusal.description)
    } catch {
      return .refusal(500, "\(error)")
    }
  }

  // MARK: Customers

  private mutating func sell(
    _ word: String, _ body: ControlBody, _ environment: AppStoreEnvironment, at now: Timestamp
  ) throws -> APIAnswer? {
    if word == "customers" {
      let customer = try change(environment, at: now) { (store, _) in
        store.enroll(
          body.text("name") ?? "Somebody", withToken: body.flag("withToken") ?? true,
          family: body.text("family"))
      }
      return .json { write(customer, &$0) }
    }
    guard let deed = Deed.all[word] else { return nil }
    let id = try change(environment, at: now) { (store, moment) throws(StoreRefusal) in
      try Result { try deed(&store, body, moment) }.flattened()
    }.get()
    return .json { writer in
      writer.member("transactionId", id)
      writer.member("storeTimeMs", storeTime(at: now).millisecondsSince1970)
    }
  }

  // MARK: Switches

  private mutating func set(
    _ word: String, _ body: ControlBody, at now: Timestamp
  ) throws -> APIAnswer {
    switch word {
    case "travel": travel(try body.span(), at: now)
    case "fail": faults.append(try body.fault())
    case "skew": switches.clockSkew = try body.span()
    case "lag": switches.lag = try body.span()
    case "outage": setOutage(try body.required("down", body.flag("down")), at: now)
    case "release": switches.isReleased = try body.required("released", body.flag("released"))
    case "limits": try setLimits(body)
    case "delivery": try setDelivery(body)
    default: throw ControlRefusal.unknown(word)
    }
    return .json { writer in
      writer.member("storeTimeMs", storeTime(at: now).millisecondsSince1970)
    }
  }

  /// Lets the receiver go down now, or come back.
  package mutating func setOutage(_ isDown: Bool, at now: Timestamp) {
    let moment = storeTime(at: now)
    for environment in shelves.keys { shelves[environment]?.outbox.setOutage(isDown, at: moment) }
  }

  private mutating func setLimits(_ body: ControlBody) throws {
    if let window = body.number("windowMs") {
      guard window > 0 else { throw ControlRefusal.wrong("windowMs") }
      limits.window = TimeSpan(milliseconds: window)
    }
    guard let calls = body.number("calls") else { return }
    guard calls >= 0 else { throw ControlRefusal.wrong("calls") }
    let endpoints = try body.endpoint().map { [$0] } ?? APIEndpoint.allCases
    for endpoint in endpoints { limits.stated[endpoint] = Int(calls) }
  }

  private mutating func setDelivery(_ body: ControlBody) throws {
    for environment in shelves.keys {
      guard var faults = shelves[environment]?.outbox.faults else { continue }
      faults.duplicatedPerMille = Int(body.number("duplicatePerMille") ?? 0)
      faults.droppedPerMille = Int(body.number("dropPerMille") ?? 0)
      faults.delayedPerMille = Int(body.number("delayPerMille") ?? 0)
      faults.greatestDelay =
        body.number("delayUpToMs").map(TimeSpan.init) ?? faults.greatestDelay
      faults.resignsRetries = body.flag("resign") ?? false
      shelves[environment]?.outbox.faults = faults
    }
  }
}

extension Result where Failure == any Error {
  /// A refusal of the store is thrown; any other error stays inside.
  fileprivate func flattened() throws(StoreRefusal) -> Result<Success, any Error> {
    if case .failure(let error as StoreRefusal) = self { throw error }
    return self
  }
}

/// Why a control call is not carried out.
enum ControlRefusal: Error, Hashable {
  case unknown(String)
  case notJSON
  case missing(String)
  case wrong(String)

  var status: Int { if case .unknown = self { 404 } else { 400 } }
}

extension ControlRefusal: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknown(let word): "There is no control named '\(word)'."
    case .notJSON: "The body is not a JSON object."
    case .missing(let name): "The body lacks \(name)."
    case .wrong(let name): "The value of \(name) makes no sense."
    }
  }
}

extension APIAnswer {
  fileprivate static func refusal(_ status: Int, _ reason: String) -> APIAnswer {
    json(status: status) { $0.member("error", reason) }
  }
}
