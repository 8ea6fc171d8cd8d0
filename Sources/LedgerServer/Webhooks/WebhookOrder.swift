import AppStoreModel
import LedgerStorage

/// What somebody who may wants done about an endpoint.
enum WebhookOrder: Sendable {
  case create(NewDestination)
  case change(DestinationChange)
  case remove
  /// The secret before counts for a while.
  case rotate(overlap: TimeSpan)
  case disable
  case wake
  case test
  case replay(DeliveryRepetition)
}

extension WebhookOrder {
  static let shape = BodyShape.members("url", "apps", "types", "description")
  static let replayShape = BodyShape.members("event", "sinceMs", "untilMs", "deadLetters")
  static let longestDescription = 500
  static let mostTypes = 50
  static let longestOverlap: Int64 = 168

  /// Shape: `{"url":"https://…","apps":["…"],"types":["…"],"description":"…"}`; only `url` is needed.
  static func creation(
    _ json: JSONValue, within reach: WebhookReach, environment: AppStoreEnvironment
  ) throws(Problem) -> WebhookOrder {
    guard let url = json["url"]?.string else {
      throw Problem(.malformedBody, "url is missing.")
    }
    guard let name = EndpointName.fresh() else { throw Problem(.internalError) }
    var new = NewDestination(name: name, kind: .webhook, url: url)
    new.environment = environment
    new.bundleIds = try apps(json, within: reach) ?? reach.bundleIds
    new.types = try types(json) ?? []
    new.description = try description(json) ?? ""
    return .create(new)
  }

  /// Shape: any of the members of a creation.
  static func change(
    _ json: JSONValue, within reach: WebhookReach
  ) throws(Problem) -> WebhookOrder {
    var change = DestinationChange()
    if let member = json["url"] {
      guard let url = member.string else { throw Problem(.malformedBody, "url is a text.") }
      change.url = url
    }
    change.bundleIds = try apps(json, within: reach)
    change.types = try types(json)
    change.description = try description(json)
    guard change != DestinationChange() else {
      throw Problem(.malformedBody, "Nothing is to be different: url, apps, types, description.")
    }
    return .change(change)
  }

  /// Shape: `{"overlapHours":24}`, from 0 to 168; 24 unless stated.
  static func rotation(_ json: JSONValue?) throws(Problem) -> WebhookOrder {
    guard let member = json?["overlapHours"] else { return .rotate(overlap: .hours(24)) }
    guard let hours = member.integer, (0...longestOverlap).contains(hours) else {
      throw Problem(.malformedBody, "overlapHours is a number from 0 to \(longestOverlap).")
    }
    return .rotate(overlap: .hours(hours))
  }

  /// Shape: `{"event":"…"}`, `{"sinceMs":…,"untilMs":…}` or `{"deadLetters":true}`.
  static func replay(_ json: JSONValue) throws(Problem) -> WebhookOrder {
    if let id = json["event"]?.string {
      guard let event = EventCursor(id) else {
        throw Problem(.malformedBody, "event is the id or the position of one, as a text.")
      }
      return .replay(.event(event))
    }
    if json["deadLetters"] == .bool(true) { return .replay(.deadLetters) }
    guard let since = json["sinceMs"]?.integer, since >= 0 else {
      throw Problem(
        .malformedBody,
        "Name what to send again: event, sinceMs with or without untilMs, or "
          + "deadLetters.")
    }
    let until = json["untilMs"]?.integer
    guard until ?? since >= since else {
      throw Problem(.malformedBody, "untilMs is before sinceMs.")
    }
    return .replay(
      .since(
        Timestamp(millisecondsSince1970: since),
        until: until.map { Timestamp(millisecondsSince1970: $0) }))
  }

  private static func apps(
    _ json: JSONValue, within reach: WebhookReach
  ) throws(Problem) -> Set<String>? {
    guard let member = json["apps"] else { return nil }
    guard let apps = member.array?.compactMap(\.string), !apps.isEmpty else {
      throw Problem(.malformedBody, "apps is a list of bundle ids.")
    }
    guard reach.bundleIds.isSuperset(of: apps) else { throw Problem(.appForbidden) }
    return Set(apps)
  }

  private static func types(_ json: JSONValue) throws(Problem) -> Set<String>? {
    guard let member = json["types"] else { return nil }
    guard let values = member.array, values.count <= mostTypes else {
      throw Problem(.malformedBody, "types is a list of at most \(mostTypes) types of events.")
    }
    return Set(
      try values.map { (value) throws(Problem) in
        guard let word = value.string else {
          throw Problem(.malformedBody, "types is a list of texts.")
        }
        return try EventType(stated: word, as: .malformedBody).rawValue
      })
  }

  private static func description(_ json: JSONValue) throws(Problem) -> String? {
    guard let member = json["description"] else { return nil }
    guard let text = member.string, text.utf8.count <= longestDescription else {
      throw Problem(
        .malformedBody, "description is a text of at most \(longestDescription) bytes.")
    }
    return text
  }
}

/// Which endpoints somebody may see and change: those that get nothing beyond the somebody's own reach.
struct WebhookReach: Sendable {
  let bundleIds: Set<String>
  /// `nil` is both.
  let environment: AppStoreEnvironment?
  /// Whether what Apple's notifications are forwarded to is seen too, and sent again what it missed.
  var includesForwarding = false

  /// Whether it may be looked at, and be sent something again.
  func sees(_ destination: Destination) -> Bool {
    destination.kind == .forwarding ? includesForwarding : holds(destination)
  }

  func holds(_ destination: Destination) -> Bool {
    destination.kind == .webhook && bundleIds.isSuperset(of: destination.bundleIds)
      && (environment == nil || environment == destination.environment)
  }
}
