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
  ///   405 for one that is posted to, 409 for what the store refuses.
  mutating func control(
    _ request: APIRequest, _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer {
    let word = request.segments.dropFirst().joined(separator: "/")
    do {
      if request.method == "GET", !Self.isPosted(word) {
        return try report(word, environment, at: now)
      }
      let control = try ControlName(word)
      guard request.method == "POST" else { throw ControlRefusal.notPosted(word) }
      let body = try ControlBody(request.body)
      try control.check(body)
      if let answer = try sell(word, body, environment, at: now) { return answer }
      return try set(word, body, environment, at: now)
    } catch let refusal as ControlRefusal {
      return .refusal(refusal.status, refusal.description)
    } catch let refusal as StoreRefusal {
      return .refusal(409, refusal.description)
    } catch {
      return .refusal(500, "\(error)")
    }
  }

  /// What has a list under its name is looked up too.
  private static func isPosted(_ word: String) -> Bool {
    word != "customers" && ControlName.exists(word)
  }

  // MARK: Customers

  private mutating func sell(
    _ word: String, _ body: ControlBody, _ environment: AppStoreEnvironment, at now: Timestamp
  ) throws -> APIAnswer? {
    if word == "customers" {
      let name = try newName(try body.text("name"), environment)
      let (withToken, family) = (try body.flag("withToken") ?? true, try body.text("family"))
      let customer = try change(environment, at: now) { (store, _) in
        store.enroll(name, withToken: withToken, family: family)
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

  /// The name of who joins: nobody else's, for later controls speak of customers by name.
  private func newName(_ stated: String?, _ environment: AppStoreEnvironment) throws -> String {
    guard let store = shelves[environment]?.store else { return stated ?? "" }
    if let stated {
      guard store.customer(named: stated) == nil else { throw StoreRefusal.nameTaken(stated) }
      return stated
    }
    let number = store.customers.count + 1
    return (number...).lazy.map { "Somebody \($0)" }.first { store.customer(named: $0) == nil }
      ?? ""
  }

  // MARK: Switches

  private mutating func set(
    _ word: String, _ body: ControlBody, _ environment: AppStoreEnvironment, at now: Timestamp
  ) throws -> APIAnswer {
    switch word {
    case "travel":
      let span = try body.span()
      guard span > .zero else { throw ControlRefusal.backwards }
      guard storeTime(at: now).adding(span) <= Self.end else { throw ControlRefusal.wrong("span") }
      travel(span, at: now)
    case "fail":
      var fault = try body.fault()
      fault.environment = environment
      faults.append(fault)
    case "mend": faults.removeAll { $0.concerns(environment) }
    case "skew": switches.clockSkew = try body.span()
    case "lag": switches.lag = try body.span()
    case "outage": setOutage(try body.required("down", try body.flag("down")), at: now)
    case "release": switches.isReleased = try body.required("released", try body.flag("released"))
    case "limits": try setLimits(body)
    case "delivery": try setDelivery(body)
    default: throw ControlRefusal.unknown(word)
    }
    return .json { writer in
      writer.member("storeTimeMs", storeTime(at: now).millisecondsSince1970)
    }
  }

  /// Where journeys end: what is signed until then can still name moments a hundred years later.
  private static let end = Timestamp.nameable.upperBound.subtracting(.greatestStated)

  /// Lets the receiver go down now, or come back.
  package mutating func setOutage(_ isDown: Bool, at now: Timestamp) {
    let moment = storeTime(at: now)
    for environment in shelves.keys { shelves[environment]?.outbox.setOutage(isDown, at: moment) }
  }

  private mutating func setLimits(_ body: ControlBody) throws {
    let window = try body.number("windowMs", in: 1...TimeSpan.greatestStated.milliseconds)
    let calls = try body.number("calls", in: 0...1_000_000_000)
    let endpoints = try body.endpoint().map { [$0] } ?? APIEndpoint.allCases
    if let window { limits.window = TimeSpan(milliseconds: window) }
    guard let calls else { return }
    for endpoint in endpoints { limits.stated[endpoint] = Int(calls) }
  }

  private mutating func setDelivery(_ body: ControlBody) throws {
    let share: ClosedRange<Int64> = 0...1_000
    let duplicated = try body.number("duplicatePerMille", in: share) ?? 0
    let dropped = try body.number("dropPerMille", in: share) ?? 0
    let delayed = try body.number("delayPerMille", in: share) ?? 0
    let greatestDelay = try body.number("delayUpToMs", in: 0...Int64(1) << 40)
    let resigns = try body.flag("resign") ?? false
    for environment in shelves.keys {
      guard var faults = shelves[environment]?.outbox.faults else { continue }
      faults.duplicatedPerMille = Int(duplicated)
      faults.droppedPerMille = Int(dropped)
      faults.delayedPerMille = Int(delayed)
      faults.greatestDelay = greatestDelay.map(TimeSpan.init) ?? faults.greatestDelay
      faults.resignsRetries = resigns
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

extension APIAnswer {
  fileprivate static func refusal(_ status: Int, _ reason: String) -> APIAnswer {
    json(status: status) { $0.member("error", reason) }
  }
}
