import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import LedgerServer
import LedgerStorage
import PortSupport
import SQLiteStorage
import Testing

/// A server that asks a simulated App Store's API, which posts its notifications back, all over HTTP.
final class CaseTrial {
  let service: LedgerService
  let simulator: SimulatorListener
  let customer: Customer
  let configuration: Configuration
  private let reader: LedgerReader
  private let log = Log(descriptor: -1)
  private let folder: URL

  init(
    _ answer: Configuration.ConsumptionPolicy.Answer, delivery: DeliveryStatus? = .delivered,
    consents: Bool = true, seed: UInt64 = 11
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = CertificateAuthority(seed: seed)
    let app = SimulatedApp(environment: .sandbox)
    var store = SimulatedAppStore(app: app, seed: seed)
    customer = store.enroll("u", family: "f")
    let receiverPort = FreePort.find()
    let simulated = SimulatedServer(
      store, seed: seed, signer: JWSSigner(authority), at: SimulatorListener.wallClock())
    simulator = try #require(
      SimulatorListener(
        simulated, receiver: "http://127.0.0.1:\(receiverPort)/apple/notifications"))
    let keyPath = folder.appending(path: "key.p8").path
    try Data(simulated.key.key.pem.utf8).write(to: URL(filePath: keyPath))
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)], environments: [.sandbox])
    configuration.root = .certificate(authority.root.der)
    configuration.listener.port = receiverPort
    configuration.apps[0].appStoreConnect = .init(
      keyPath: keyPath, keyId: simulated.key.keyId, issuerId: simulated.key.issuerId)
    configuration.apps[0].consumption.standing.answer = answer
    configuration.apps[0].consumption.standing.delivery = delivery
    configuration.appStoreServerAPI.productionURL = simulator.url
    configuration.appStoreServerAPI.sandboxURL = simulator.url + "/sandbox"
    self.configuration = configuration
    let realm = try configuration.trustedRoot().realm
    let kept = try SQLiteStore(.memory, realm: realm, now: SimulatorListener.wallClock())
    service = try LedgerService(configuration, store: kept, log: log)
    reader = try service.ledger.makeReader()
    if consents { try consent() }
  }

  func stop() {
    simulator.stop()
    service.stop()
    log.close()
    try? FileManager.default.removeItem(at: folder)
  }

  var scope: Scope {
    Scope(realm: service.ledger.realm, bundleId: "com.example.app", environment: .sandbox)
  }

  private var key: CustomerKey? {
    customer.appAccountToken.flatMap { CustomerID($0) }.map { CustomerKey(scope: scope, id: $0) }
  }

  func consent() throws {
    let key = try #require(key)
    let consent = Consent(
      isGiven: true, recordedBy: "backend", recordedAt: SimulatorListener.wallClock())
    _ = try service.ledger.wait { service.ledger.record(consent, of: key, completion: $0) }
  }

  /// Does something in the App Store.
  @discardableResult
  func act<Result: Sendable>(
    _ body: (inout SimulatedAppStore, Timestamp) throws(StoreRefusal) -> Result
  ) throws -> Result {
    try simulator.withServer { (server, now) in
      try server.change(.sandbox, at: now) { (store, moment) throws(StoreRefusal) in
        try body(&store, moment)
      }
    }
  }

  /// Buys a product, spends on it, and wishes to have the money back.
  func buyAndAsk(_ product: SimulatedProduct, spending milliunits: Int64? = nil) async throws
    -> String
  {
    let customer = customer
    let bought = try act { (store, now) throws(StoreRefusal) in
      try store.buy(product.id, by: customer, at: now)
    }
    try await until("the purchase arrives") {
      try self.reader.chain(
        ChainKey(scope: self.scope, originalTransactionId: bought)) != nil
    }
    if let milliunits { try spend(milliunits, on: product) }
    try act { (store, now) throws(StoreRefusal) in
      try store.requestRefund(of: bought, at: now)
    }
    return bought
  }

  private func spend(_ milliunits: Int64, on product: SimulatedProduct) throws {
    let amount = Money(milliunits: milliunits, currency: product.price.currency)
    let cost = try #require(Cost(amount))
    let request = SpendRequest(
      customer: try #require(key), purpose: SpendPurpose(entitlement: product.id, cost: cost),
      holdLength: .minutes(1), idempotency: nil)
    let now = SimulatorListener.wallClock()
    let ledger = service.ledger
    _ = try ledger.wait { ledger.authorize(request, id: "a", now: now, completion: $0) }
    _ = try ledger.wait {
      ledger.settle("a", SpendUse(cost: cost), within: { _ in true }, now: now, completion: $0)
    }
  }

  func onlyCase() throws -> StoredCase? {
    try reader.refundCases(in: scope, limit: 9).first
  }

  /// The case once it stands as expected.
  func refundCase(standing: RefundCase.Standing) async throws -> StoredCase {
    try await until("the case is \(standing.word)") {
      try self.onlyCase()?.refundCase.standing(at: SimulatorListener.wallClock()) == standing
    }
    return try #require(try onlyCase())
  }

  /// Asks again and again, giving way each time, for half a minute at most.
  func until(_ what: String, _ isSo: () throws -> Bool) async throws {
    let end = SimulatorListener.wallClock().adding(.seconds(30))
    while try !isSo() {
      try #require(SimulatorListener.wallClock() < end, "\(what): in vain")
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
