import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

@testable import LedgerServer

/// A server in this process with a simulated App Store in front of it.
final class ServedLedger {
  /// A clock that a test sets.
  final class Moment: Sendable {
    private let now: Mutex<Timestamp>

    init(_ now: Timestamp) { self.now = Mutex(now) }

    func get() -> Timestamp { now.withLock { $0 } }
    func set(_ moment: Timestamp) { now.withLock { $0 = moment } }
  }

  static let start = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  let service: LedgerService
  /// What the service writes to, where a test makes it hang.
  let blockable: BlockableStore?
  let moment = Moment(ServedLedger.start)
  var stage: Stage
  let signer: NotificationSigner
  private let bundleId: String
  private let log: Log
  private var sent = 0
  private var secrets: [String: String] = [:]

  init(
    environment: AppStoreEnvironment = .sandbox, seed: UInt64 = 1,
    database: String = ":memory:", settings: SQLiteSettings = SQLiteSettings(),
    sender: (any ConsumptionSender)? = nil,
    log: Log = Log(descriptor: -1), appStore: AppStoreSource? = nil,
    isBlockable: Bool = false,
    configured: (inout Configuration) -> Void = { _ in }
  ) throws {
    self.log = log
    let authority = CertificateAuthority(seed: seed)
    let app = SimulatedApp(environment: environment)
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      environments: [.production, .sandbox])
    configuration.root = .certificate(authority.root.der)
    configuration.listener.port = 0
    // Among a thousand other tests nothing is as fast as it is alone.
    configuration.spending.storeTimeout = .minutes(10)
    configured(&configuration)
    bundleId = configuration.apps.first?.bundleId ?? app.bundleId
    signer = NotificationSigner(JWSSigner(authority))
    stage = Stage(SimulatedAppStore(app: app, seed: seed), at: Self.start)
    let store = try SQLiteStore(
      SQLiteAddress(database), realm: try configuration.trustedRoot().realm,
      settings: settings, now: Self.start)
    blockable = isBlockable ? BlockableStore(store) : nil
    service = try LedgerService(
      configuration, store: blockable ?? store, log: log,
      clock: ServerClock { [moment] in moment.get() },
      sender: sender, appStore: appStore)
  }

  func stop() {
    service.stop()
    log.close()
  }

  /// The secret of a key of that scope, made when first asked for.
  func secret(
    _ scope: KeyScope, _ environment: AppStoreEnvironment = .sandbox
  ) throws -> String {
    let name = scope.rawValue + environment.rawValue
    if let known = secrets[name] { return known }
    let answer = try JSONValue(
      json: service.operations.run(
        .object([
          .init("command", .string("keys.create")), .init("name", .string(name)),
          .init("scope", .string(scope.rawValue)),
          .init("apps", .array([.string(bundleId)])),
          .init("environment", .string(environment.rawValue)),
        ])))
    let secret = try #require(answer["secret"]?.string)
    secrets[name] = secret
    return secret
  }

  func call(
    _ line: String, _ scope: KeyScope? = nil, _ environment: AppStoreEnvironment = .sandbox,
    body: String = "", fields: String = "", from source: String? = nil, port: UInt16? = nil
  ) throws -> (status: Int, header: String, body: String) {
    let key = try scope.map { "Authorization: Bearer \(try secret($0, environment))\r\n" } ?? ""
    let client = try RawClient(port: port ?? service.port, from: source)
    client.send(
      "\(line) HTTP/1.1\r\nHost: x\r\n\(key)\(fields)Content-Length: \(body.utf8.count)\r\n\r\n"
        + body)
    return try client.answer()
  }

  func post(_ jws: String) throws -> Int {
    try call("POST /apple/notifications", body: "{\"signedPayload\":\"\(jws)\"}").status
  }

  /// Posts what the store has said since the last time; the clock follows the stage.
  func deliver() throws -> [Int] {
    moment.set(stage.now)
    defer { sent = stage.store.notifications.count }
    return try stage.store.notifications[sent...].map { try post(signer.sign($0)) }
  }

  /// Posts everything again.
  func deliverAgain() throws -> [Int] {
    try stage.store.notifications.map { try post(signer.sign($0)) }
  }

  func deviceCopies(of customer: Customer) -> [String] {
    stage.store.deviceTransactions(of: customer, signedAt: stage.now).map(signer.sign)
  }

  func decision(
    _ customer: Customer, _ entitlement: String, query: String = ""
  ) throws -> JSONValue {
    let name = customer.appAccountToken ?? customer.name
    let answer = try call(
      "GET /v1/customers/\(name)/entitlements/\(entitlement)\(query)", .read)
    return try JSONValue(json: Array(answer.body.utf8))
  }

  func verdict(_ customer: Customer, _ entitlement: String) throws -> String? {
    try decision(customer, entitlement)["decision"]?["verdict"]?.string
  }
}
