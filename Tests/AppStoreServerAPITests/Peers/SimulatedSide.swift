import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Synchronization
import Testing

@testable import AppStoreServerAPI

/// A simulated App Store over HTTP and a client of it, on one clock that the test turns.
struct SimulatedSide {
  let clock = TurningClock()
  let listener: SimulatorListener
  let client: AppStoreServerClient
  /// One subscription, then packs of coins, one a minute.
  let transactions: [String]
  private let told = Journal()

  private final class Journal: Sendable {
    let events = Mutex<[ClientEvent]>([])
  }

  init(
    coins: Int = 46, _ settings: ClientSettings = ClientSettings(),
    _ prepare: (inout SimulatedServer) -> Void = { _ in }
  ) throws {
    let start = TurningClock.start
    var store = SimulatedAppStore(app: SimulatedApp(environment: .production), seed: 5)
    let ada = store.enroll("Ada")
    var ids = [try store.buy(SimulatedProduct.pro.id, by: ada, at: start.subtracting(.days(2)))]
    for minute in 0..<coins {
      let then = start.subtracting(.days(1)).adding(.minutes(Int64(minute)))
      ids.append(try store.buy(SimulatedProduct.coins.id, by: ada, at: then))
    }
    var server = SimulatedServer(
      store, seed: 5, signer: JWSSigner(CertificateAuthority(seed: 5)), at: start)
    prepare(&server)
    transactions = ids
    let opened = SimulatorListener(server, clock: { [clock] in clock.now })
    listener = try #require(opened)
    var settings = settings
    settings.hosts = try AppStoreHosts(
      production: listener.url, sandbox: listener.url + "/sandbox")
    client = try AppStoreServerClient(
      AppCredentials(
        bundleId: store.app.bundleId, issuerId: server.key.issuerId, keyId: server.key.keyId,
        key: SigningKey(p8: Array(server.key.key.pem.utf8))),
      settings, CurlTransport(settings.transport), clock.clock, SeededGenerator(seed: 1)
    ) { [told] event in told.events.withLock { $0.append(event) } }
  }

  var events: [ClientEvent] { told.events.withLock { $0 } }

  var refusedTokens: [TokenFault] { listener.withServer { server, _ in server.refusedTokens } }

  func change(_ body: (inout SimulatedServer, Timestamp) throws -> Void) rethrows {
    try listener.withServer { server, now in try body(&server, now) }
  }

  /// Walks a history from a revision on.
  func walk(
    after mark: String? = nil, between: () -> Void = {}
  ) async throws -> (ids: [String], revision: String?) {
    var mark = mark
    var ids: [String] = []
    while true {
      let page = try await client.transactionHistory(
        transactions[0], HistoryQuery(), after: mark,
        CallOptions(.production, patience: .hours(9)))
      ids += try page.signedTransactions.map { try Self.payload($0)["transactionId"]?.string ?? "" }
      guard let next = try page.next(after: mark) else { return (ids, page.revision) }
      mark = next
      between()
    }
  }

  static func payload(_ jws: UnverifiedJWS) throws -> JSONValue {
    let parts = jws.text.split(separator: ".")
    let payload = try #require(parts.dropFirst().first)
    return try JSONValue(json: Base64.decodedURL(payload) ?? [])
  }
}
