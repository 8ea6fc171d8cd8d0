import AppStoreModel
@testable import AppStoreSimulator
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// What the app hears of its server over HTTP when the key, the address or the network is wrong.
struct ReportTroubleServedTests {
  private static let body = ReportQueue.body([.transaction("a.b.c")], appVersion: nil)

  private func outcome(_ address: String, key: String = "none") async throws
    -> ReportQueue.Outcome
  {
    let server = ReportingServer(
      address: try #require(URL(string: address)), publishableKey: key)
    return await HTTPTransport(server).send(Self.body, of: [.transaction("a.b.c")])
  }

  @Test(arguments: [
    ("portal", ReportQueue.Outcome.troubled(.strangeAnswer("HTTP 200"))),
    ("moved", .troubled(.strangeAnswer("HTTP 200"))),
    ("signIn", .troubled(.strangeAnswer("HTTP 404 after a redirect"))),
    ("files", .troubled(.wrongAddress("HTTP 404"))),
    ("proxy", .failed(retryAfter: nil)),
  ])
  func `what stands in the server's place is told as what it is`(
    name: String, outcome: ReportQueue.Outcome
  ) async throws {
    let receiver = try StrangeReceiver()
    #expect(try await self.outcome(receiver.url(name)) == outcome)
  }

  @Test(arguments: ["portal", "moved", "signIn", "files", "proxy", "circle"])
  func `nothing that stands in the server's place takes a report`(name: String) async throws {
    let receiver = try StrangeReceiver()
    let outcome = try await outcome(receiver.url(name))
    var queue = ReportQueue()
    _ = queue.add(.transaction("a.b.c"))
    _ = queue.settle([.transaction("a.b.c")], outcome)
    #expect(queue.nextBatch == [.transaction("a.b.c")])
  }

  @Test(arguments: [
    ("clawback://127.0.0.1", ReportQueue.Outcome.troubled(.wrongAddress("NSURLError -1002"))),
    ("127.0.0.1", .troubled(.wrongAddress("NSURLError -1002"))),
  ])
  func `an address that leads nowhere is told`(
    address: String, outcome: ReportQueue.Outcome
  ) async throws {
    #expect(try await self.outcome(address) == outcome)
  }

  /// The key that the app was shipped with, and the server's word for it.
  enum Key: CaseIterable, Sendable {
    case unknown, otherScope, otherApp, otherEnvironment

    var problem: ReportingProblem {
      switch self {
      case .unknown: .keyRefused("unauthenticated")
      case .otherScope: .keyRefused("scopeMissing")
      case .otherApp: .keyRefused("appForbidden")
      case .otherEnvironment: .keyRefused("environmentForbidden")
      }
    }
  }

  @Test(arguments: Key.allCases)
  func `with a wrong key nothing is lost, and the next version with the right one reports all`(
    wrong: Key
  ) async throws {
    let authority = CertificateAuthority(seed: 5)
    let signer = JWSSigner(authority)
    let device = SimulatedDevice(
      bundleID: "com.example.app",
      now: Timestamp(Date()).adding(.hours(-3)), signer: { signer.sign($0) })
    device.mutate { $0.environment = .sandbox }
    let site = try ServedSite(
      apps: [
        .init(bundleId: "com.example.app", appAppleId: 1_000_000_001),
        .init(bundleId: "com.example.other", appAppleId: 1_000_000_002),
      ], root: authority.root.der)
    let served = try ServedProcess(site)
    let reads = try site.key("backend", scope: "read", app: "com.example.app")
    let right = try site.key("app", scope: "device", app: "com.example.app")
    let key =
      switch wrong {
      case .unknown: "clwb_unknown"
      case .otherScope: reads
      case .otherApp: try site.key("second", scope: "device", app: "com.example.other")
      case .otherEnvironment:
        try site.key(
          "third", scope: "device", app: "com.example.app", environment: "Production")
      }
    let queue = MemoryCache()
    let cache = MemoryCache()
    let address = try #require(URL(string: served.url))
    func start(_ key: String) -> (Entitlements, Reporter) {
      let reporter = Reporter(
        transport: HTTPTransport(ReportingServer(address: address, publishableKey: key)),
        clock: DeviceClock(), storage: queue, aloud: { _ in })
      let kit = Entitlements(
        [EntitlementRule("pro", products: ["pro.lifetime"], whenUnknown: .failClosed)],
        connection: SimulatedConnection(device), clock: SimulatedClock(device), cache: cache,
        reporter: reporter)
      return (kit, reporter)
    }
    let id = device.buyNonConsumable("pro.lifetime")
    do {
      let (kit, reporter) = start(key)
      #expect(await kit.becomes { $0.allows("pro") })
      #expect(await kit.becomes { $0.reportingProblem == wrong.problem })
      device.advance(hours: 1)
      device.refund(id)
      #expect(await kit.becomes { !$0.allows("pro") })
      #expect(await kit.becomes { _ in ReportQueue(queue.read() ?? []).count == 2 })
      withExtendedLifetime(reporter) {}
    }
    let (kit, reporter) = start(right)
    for _ in 0..<10_000 where await reporter.pending > 0 {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(await reporter.pending == 0)
    #expect(kit.reportingProblem == nil)
    let verdict = try served.get(
      "/v1/customers/atx:701000000000000001/entitlements/pro.lifetime", key: reads)
    #expect(verdict.contains(#""reason":"refunded""#))
    withExtendedLifetime(kit) {}
    #expect(served.stop() == 0)
  }

  @Test(arguments: [AppStoreEnvironment.sandbox, .production])
  func `one build with a key for each place reports from the sandbox and from the store`(
    place: AppStoreEnvironment
  ) async throws {
    let authority = CertificateAuthority(seed: 5)
    let signer = JWSSigner(authority)
    let device = SimulatedDevice(
      bundleID: "com.example.app", now: Timestamp(Date()).adding(.hours(-3)),
      signer: { signer.sign($0) })
    device.mutate { $0.environment = place }
    let site = try ServedSite(
      apps: [.init(bundleId: "com.example.app", appAppleId: 1_000_000_001)],
      root: authority.root.der)
    let served = try ServedProcess(site)
    func key(_ name: String, _ scope: String, _ place: AppStoreEnvironment) throws -> String {
      try site.key(name, scope: scope, app: "com.example.app", environment: place.rawValue)
    }
    let reads = try key("backend", "read", place)
    let server = ReportingServer(
      address: try #require(URL(string: served.url)),
      publishableKey: try key("store", "device", .production),
      sandboxKey: try key("testers", "device", .sandbox))
    let reporter = Reporter(
      transport: HTTPTransport(server), clock: DeviceClock(), storage: MemoryCache())
    let kit = Entitlements(
      [EntitlementRule("pro", products: ["pro.lifetime"], whenUnknown: .failClosed)],
      connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    device.buyNonConsumable("pro.lifetime")
    await kit.refresh()
    #expect(kit.allows("pro"))
    for _ in 0..<10_000 where await reporter.pending > 0 {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(kit.reportingProblem == nil)
    let verdict = try served.get(
      "/v1/customers/atx:701000000000000001/entitlements/pro.lifetime", key: reads)
    #expect(verdict.contains(#""verdict":"granted""#))
    #expect(served.stop() == 0)
  }
}
