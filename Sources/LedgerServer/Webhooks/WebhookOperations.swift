import AppStoreModel
import LedgerStorage

/// What an operator asks of endpoints from the command line.
struct WebhookOperations: Sendable {
  let administration: WebhookAdministration
  let configuration: Configuration

  private var reach: WebhookReach {
    WebhookReach(
      bundleIds: Set(configuration.apps.map(\.bundleId)), environment: nil, includesForwarding: true
    )
  }

  /// The answer to one of its commands; `nil` for a command of others.
  func answer(_ request: JSONValue) throws(Problem) -> [UInt8]? {
    let name = request["webhook"]?.string ?? ""
    switch request["command"]?.string {
    case "webhooks.list":
      return try read { (reading) throws(StoreError) in try reading.all() }
    case "webhooks.show":
      return try read { (reading) throws(StoreError) in try reading.one(name) }
    case "webhooks.deliveries":
      return try read { (reading) throws(StoreError) in
        try reading.deliveries(
          of: name, before: .max, limit: Int(request["limit"]?.integer ?? 50))
      }
    case "webhooks.deadLetters":
      return try read { (reading) throws(StoreError) in
        try reading.deadLetters(of: name, after: 0, limit: 500)
      }
    default:
      guard let order = try order(request) else { return nil }
      return try carryOut(order, on: name)
    }
  }

  private func order(_ request: JSONValue) throws(Problem) -> WebhookOrder? {
    switch request["command"]?.string {
    case "webhooks.create":
      let environment = request["environment"]?.string ?? "Sandbox"
      if let refusal = configuration.unreachable([], environment) {
        throw Problem(.malformedBody, refusal)
      }
      return try .creation(
        request, within: reach, environment: AppStoreEnvironment(rawValue: environment))
    case "webhooks.change": return try .change(request, within: reach)
    case "webhooks.delete": return .remove
    case "webhooks.rotate": return try .rotation(request)
    case "webhooks.disable": return .disable
    case "webhooks.wake": return .wake
    case "webhooks.test": return .test
    case "webhooks.replay": return try .replay(request)
    default: return nil
    }
  }

  private func read(
    _ body: (WebhookReading) throws(StoreError) -> [UInt8]?
  ) throws(Problem) -> [UInt8] {
    let json: [UInt8]?
    do throws(StoreError) {
      json = try body(
        WebhookReading(reader: try administration.ledger.makeReader(), reach: reach))
    } catch {
      throw Problem(error)
    }
    guard let json else { throw Problem(.unknownWebhook) }
    return json
  }

  private func carryOut(_ order: WebhookOrder, on name: String) throws(Problem) -> [UInt8] {
    let answer = AwaitedAnswer<[UInt8]>()
    try administration.carryOut(order, on: name, within: reach) { answer.give($0) }
    return try answer.take()
  }
}
