package import AppStoreModel
package import AppStoreVerification
import EntitlementLedger
package import LedgerStorage

/// What an operator does to a ledger from the command line: over the running server's socket, or on
/// the file itself while no server runs.
///
/// Shape: one JSON object asks, with `command` as its member that says what; one answers, with `error`
/// where it could not be done, and `advice` where there is a next step.
package final class Operations: Sendable {
  let ledger: Ledger
  private let keys: KeyRing?
  private let verifier: SignedDataVerifier
  private let clock: ServerClock
  private let reconciliation: ReconciliationOperations
  private let reports: ReportOperations
  private let webhooks: WebhookOperations
  private let byRoute: RouteOperations

  /// Works on a ledger that no server serves.
  ///
  /// - Parameters:
  ///   - ledger: Opened by this process alone.
  ///   - verifier: Of the same configuration.
  ///   - configuration: What the operator states.
  ///   - reconciliation: Asks Apple, where the command is about that.
  package convenience init(
    ledger: Ledger, verifier: SignedDataVerifier, configuration: Configuration,
    reconciliation: Reconciliation? = nil
  ) {
    self.init(
      ledger: ledger, keys: nil, verifier: verifier, clock: .system,
      reconciliation: ReconciliationOperations(
        ledger: ledger, reconciliation: reconciliation, configuration: configuration,
        clock: .system),
      webhooks: WebhookOperations(
        administration: WebhookAdministration(
          ledger: ledger, keeper: nil, rules: configuration.deliveryRules, clock: .system),
        configuration: configuration))
  }

  init(
    ledger: Ledger, keys: KeyRing?, verifier: SignedDataVerifier, clock: ServerClock,
    reconciliation: ReconciliationOperations, webhooks: WebhookOperations
  ) {
    self.ledger = ledger
    self.keys = keys
    self.verifier = verifier
    self.clock = clock
    self.reconciliation = reconciliation
    reports = ReportOperations(ledger: ledger, configuration: reconciliation.configuration)
    self.webhooks = webhooks
    byRoute = RouteOperations(
      ledger: ledger, configuration: reconciliation.configuration, clock: clock,
      isServing: keys != nil)
  }

  /// Whether a server has the ledger, rather than a command of its own.
  var isServing: Bool { keys != nil }

  /// Does what is asked and waits for it: never to be called on a loop's thread.
  package func run(_ request: JSONValue) -> [UInt8] {
    do throws(Problem) {
      return try answer(request)
    } catch {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("error", error.detail ?? error.code.title)
        writer.member("code", error.code.rawValue)
        writer.member("advice", error.advice)
      }
      return writer.bytes
    }
  }

  private func answer(_ request: JSONValue) throws(Problem) -> [UInt8] {
    if let answer = try reconciliation.answer(request) { return answer }
    if let answer = try reports.answer(request) { return answer }
    if let answer = try webhooks.answer(request) { return answer }
    if let answer = try byRoute.answer(request) { return answer }
    switch request["command"]?.string {
    case "keys.create": return try createKey(request)
    case "keys.list": return try listKeys()
    case "keys.revoke": return try revokeKey(request)
    case "quarantine.list": return try listQuarantine()
    case "quarantine.retry": return try retryQuarantine()
    case "notifications.find": return try findNotification(request)
    default:
      throw Problem(.badParameter, "There is no such command.").advising(Self.otherVersion)
    }
  }

  static let otherVersion =
    "Another version of this program holds the ledger: restart it with this one."

  func store<Value>(_ body: () throws(StoreError) -> Value) throws(Problem) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      throw Problem(.storeUnavailable, error.description + ". " + error.advice)
    }
  }

  private func createKey(_ request: JSONValue) throws(Problem) -> [UInt8] {
    guard let name = request["name"]?.string, StatedText.isKeyName(name),
      let scope = request["scope"]?.string.flatMap({ KeyScope(rawValue: $0) }),
      let apps = request["apps"]?.array?.compactMap(\.string), !apps.isEmpty,
      let environment = request["environment"]?.string,
      ["Production", "Sandbox"].contains(environment)
    else { throw Problem(.badParameter, Self.keyForm) }
    if let fault = reconciliation.configuration.unreachable(apps, environment) {
      throw Problem(.badParameter, fault)
    }
    if let asked = request["realm"]?.string, asked != ledger.realm.description {
      throw Problem(
        .badParameter,
        "The server that runs has a ledger of the realm \(ledger.realm), and the root is one of "
          + "\(asked)."
      ).advising("Use a database of its own for each root of trust, or name the root of this one.")
    }
    guard let secret = KeySecret.fresh(for: scope) else { throw Problem(.internalError) }
    let key = APIKey(
      name: name, scope: scope, bundleIds: Set(apps),
      environment: AppStoreEnvironment(rawValue: environment), madeAt: clock.now(),
      secretDigest: secret.digest)
    let isNew = try store { () throws(StoreError) in
      try ledger.wait { ledger.addKey(key.stored, completion: $0) }
    }
    guard isNew else {
      throw Problem(.badParameter, "A key named \(name) was made before.").advising(
        "Choose another name: a name is never given twice, also after its end. 'clawback keys list' "
          + "shows those in use, and 'clawback keys revoke \(name)' ends that key.")
    }
    try reload()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("secret", secret.text)
      writer.name("key")
      writer.key(key)
    }
    return writer.bytes
  }

  private static let keyForm =
    "A key has a name of 1 to 100 bytes without control characters, a scope, apps and an environment."

  private func listKeys() throws(Problem) -> [UInt8] {
    let keys = try allKeys()
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("keys")
      writer.array { writer in for key in keys { writer.key(key) } }
    }
    return writer.bytes
  }

  private func revokeKey(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let name = request["name"]?.string ?? ""
    let isDone = try store { () throws(StoreError) in
      try ledger.wait { ledger.revokeKey(name, now: clock.now(), completion: $0) }
    }
    guard isDone else { throw try notRevoked(name) }
    try reload()
    var writer = JSONWriter()
    writer.object { $0.member("revoked", name) }
    return writer.bytes
  }

  private func notRevoked(_ name: String) throws(Problem) -> Problem {
    guard try allKeys().contains(where: { $0.name == name }) else {
      return Problem(.badParameter, "No key is named \(name).").advising(
        "'clawback keys list' shows every key, and which were revoked.")
    }
    return Problem(.badParameter, "The key \(name) was revoked before.").advising(
      "Nothing is left to do: it opens nothing.")
  }

  private func allKeys() throws(Problem) -> [APIKey] {
    try store { () throws(StoreError) in try ledger.makeReader().keys() }
      .compactMap { APIKey($0) }
  }

  /// A change counts for the next request.
  private func reload() throws(Problem) {
    keys?.replace(with: try allKeys())
  }

  private func items() throws(Problem) -> [(position: Int64, item: QuarantinedItem)] {
    try store { () throws(StoreError) in
      try ledger.makeReader().quarantined(limit: 2 * QuarantinedItem.ringSize)
    }
  }

  private func listQuarantine() throws(Problem) -> [UInt8] {
    let items = try items()
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("items")
      writer.array { writer in
        for item in items { writer.quarantined(item.position, item.item) }
      }
    }
    return writer.bytes
  }

  /// Verifies what was kept under today's configuration, and takes what passes.
  private func retryQuarantine() throws(Problem) -> [UInt8] {
    var taken: Int64 = 0
    var left: [(item: QuarantinedItem, reason: String)] = []
    for (_, item) in try items() {
      if let reason = try retry(item) { left.append((item, reason)) } else { taken += 1 }
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("taken", taken)
      writer.member("left", Int64(left.count))
      writer.name("items")
      writer.array { writer in
        for (item, reason) in left {
          writer.object { writer in
            writer.member("sha256", item.sha256.hexadecimal)
            writer.member("isKept", item.body != nil)
            writer.member("reason", reason)
          }
        }
      }
    }
    return writer.bytes
  }

  /// Takes one item if it passes now.
  ///
  /// - Returns: Why it stays; `nil` once it was taken.
  private func retry(_ item: QuarantinedItem) throws(Problem) -> String? {
    guard let body = item.body else {
      return "only an excerpt was kept, for no trusted root vouches for it"
    }
    let delivery: Delivery
    do throws(VerificationError) {
      delivery = try proved(body, item)
    } catch {
      return error.description
    }
    _ = try store { () throws(StoreError) in
      try ledger.wait { ledger.record([delivery], completion: $0) }
    }
    _ = try store { () throws(StoreError) in
      try ledger.wait { ledger.dropQuarantined(sha256: item.sha256, completion: $0) }
    }
    return nil
  }
}

extension Operations {
  /// What the ledger takes of a text that was set aside: what it is says the text, and whether Apple's
  /// API gave it the channel.
  ///
  /// Errors: The rule that it breaks under the configuration of today.
  private func proved(
    _ text: [UInt8], _ item: QuarantinedItem
  ) throws(VerificationError) -> Delivery {
    let stated = Channel(rawValue: item.channel)
    let channel = stated.flatMap { $0.isAppleAPI ? $0 : nil } ?? .device
    switch SignedKind(ofUnverified: text) {
    case .transaction:
      let transaction = try verifier.verifyTransaction(text, now: clock.now())
      return Delivery(transaction, channel: channel, receivedAt: item.receivedAt)
    case .renewalInfo:
      let renewal = try verifier.verifyRenewalInfo(text, now: clock.now())
      return Delivery(renewal, bundleId: nil, channel: channel, receivedAt: item.receivedAt)
    case .unknown:
      let notification = try verifier.verifyNotification(text, now: clock.now())
      return Delivery(notification, channel: .notification, receivedAt: item.receivedAt)
    }
  }
}

extension Configuration {
  /// What is wrong with asking for these apps in this environment; `nil` when it is all configured.
  func unreachable(_ bundleIds: [String], _ environment: String) -> String? {
    if let other = bundleIds.first(where: { app($0) == nil }) {
      let known = apps.map(\.bundleId).joined(separator: ", ")
      let name = StatedText.isName(other) ? other : "One of the apps"
      return "\(name) is not in the configuration, which has \(known)."
    }
    guard environments.contains(AppStoreEnvironment(rawValue: environment)) else {
      return "\(environment) is not an environment of the configuration."
    }
    return nil
  }
}

extension JSONWriter {
  fileprivate mutating func key(_ key: APIKey) {
    object { writer in
      writer.member("name", key.name)
      writer.member("scope", key.scope.rawValue)
      writer.name("apps")
      writer.array { writer in for app in key.bundleIds.sorted() { writer.string(app) } }
      writer.member("environment", key.environment.rawValue)
      writer.member("madeAtMs", key.madeAt.millisecondsSince1970)
      writer.member("revokedAtMs", key.revokedAt?.millisecondsSince1970)
    }
  }
}
