import AppStoreModel
@testable import AppStoreSimulator
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// One story told to a device and to the server, which then tell each other.
struct DeviceAndServerTests {
  private static let owner = "701000000000000001"
  private let authority = CertificateAuthority(seed: 5)
  private let signer: JWSSigner
  private let device: SimulatedDevice
  private let rules = [
    EntitlementRule(
      "pro.lifetime", products: ["pro.lifetime"], whenUnknown: .keepLastKnown(for: .days(3)))
  ]

  init() {
    let signer = JWSSigner(authority)
    self.signer = signer
    device = SimulatedDevice(
      bundleID: "com.example.app",
      now: Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
        .adding(.hours(-3)),
      signer: { signer.sign($0) })
    device.mutate { $0.environment = .sandbox }
  }

  private func site() throws -> ServedSite {
    try ServedSite(
      apps: [.init(bundleId: "com.example.app", appAppleId: 1_000_000_001)],
      root: authority.root.der)
  }

  private func kit(reportingTo url: String, key: String, _ queue: MemoryCache) throws
    -> (Entitlements, Reporter)
  {
    let address = try #require(URL(string: url))
    let reporter = Reporter(
      transport: HTTPTransport(ReportingServer(address: address, publishableKey: key)),
      clock: DeviceClock(), storage: queue, appVersion: "1.0")
    let kit = Entitlements(
      rules, connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    return (kit, reporter)
  }

  /// Apple's word to the server about a transaction, as the device's store has it now.
  private func notification(_ type: NotificationType, _ id: String) throws -> String {
    let transaction = try #require(
      device.mutate { store in store.purchase(id).map { store.payload($0) } })
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = type
    payload.notificationUUID = UUID().uuidString.lowercased()
    payload.version = "2.0"
    payload.signedDate = transaction.signedDate
    var data = NotificationData()
    data.bundleId = "com.example.app"
    data.appAppleId = 1_000_000_001
    data.environment = .sandbox
    payload.data = data
    return NotificationSigner(signer).sign(
      UnsignedNotification(payload: payload, transaction: transaction))
  }

  private func sent(_ reporter: Reporter) async -> Bool {
    for _ in 0..<10_000 where await reporter.pending > 0 {
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    return await reporter.pending == 0
  }

  private func verdict(_ served: ServedProcess, _ key: String) throws -> String {
    try served.get(
      "/v1/customers/atx:\(Self.owner)/entitlements/pro.lifetime", key: key)
  }

  @Test(arguments: [true, false])
  func `a refund seen by device and notification is one, in either order`(
    deviceFirst: Bool
  ) async throws {
    let site = try site()
    let served = try ServedProcess(site)
    let reports = try site.key("app", scope: "device", app: "com.example.app")
    let reads = try site.key("backend", scope: "read", app: "com.example.app")
    let id = device.buyNonConsumable("pro.lifetime")
    let (kit, reporter) = try kit(reportingTo: served.url, key: reports, MemoryCache())
    #expect(await kit.becomes { $0.allows("pro.lifetime") })
    #expect(await sent(reporter))
    #expect(try verdict(served, reads).contains(#""verdict":"granted""#))
    device.advance(hours: 1)
    let revokedAt = device.moment.millisecondsSince1970
    if deviceFirst {
      device.refund(id)
      #expect(await kit.becomes { !$0.allows("pro.lifetime") })
      #expect(await sent(reporter))
      #expect(try verdict(served, reads).contains(#""reason":"refunded""#))
      #expect(try served.post(notification(.refund, id)) == 200)
    } else {
      device.whileClosed { $0.refund(id) }
      #expect(try served.post(notification(.refund, id)) == 200)
      #expect(try verdict(served, reads).contains(#""reason":"refunded""#))
      #expect(kit.allows("pro.lifetime"))
      await kit.refresh()
      #expect(!kit.allows("pro.lifetime"))
      #expect(await sent(reporter))
    }
    #expect(try verdict(served, reads).contains(#""reason":"refunded""#))
    let timeline = try Timeline(
      served.get("/v1/customers/atx:\(Self.owner)/timeline", key: reads))
    let sightings = timeline.sightings(of: id)
    #expect(
      sightings.map(\.channel)
        == (deviceFirst ? ["device", "notification"] : ["notification", "device"]))
    #expect(Set(sightings.map(\.revokedAtMs)) == [revokedAt])
    for sighting in sightings {
      #expect(sighting.delayMs == sighting.atMs - sighting.revokedAtMs)
      // The refund happened two hours ago by the device's clock.
      #expect((7_200_000..<10_800_000).contains(sighting.delayMs))
    }
    #expect(sightings.map(\.delayMs) == sightings.map(\.delayMs).sorted())
    #expect(timeline.denials == 1)
    let refunds = try served.get("/v1/refunds", key: reads)
    #expect(refunds.components(separatedBy: #""transactionId":"\#(id)""#).count == 2)
    withExtendedLifetime(kit) {}
    #expect(served.stop() == 0)
  }

  @Test func `a device that never comes back is cut off by the server`() async throws {
    let site = try site()
    let served = try ServedProcess(site)
    let reports = try site.key("app", scope: "device", app: "com.example.app")
    let reads = try site.key("backend", scope: "read", app: "com.example.app")
    let id = device.buyNonConsumable("pro.lifetime")
    let (kit, reporter) = try kit(reportingTo: served.url, key: reports, MemoryCache())
    #expect(await kit.becomes { $0.allows("pro.lifetime") })
    #expect(await sent(reporter))
    device.goOffline()
    device.advance(hours: 1)
    device.refund(id)
    #expect(try served.post(notification(.refund, id)) == 200)
    #expect(kit.allows("pro.lifetime"))
    #expect(try verdict(served, reads).contains(#""verdict":"denied""#))
    #expect(served.stop() == 0)
  }

  @Test func `a server that is down does not stop the device, and hears of it later`()
    async throws
  {
    let site = try site()
    let served = try ServedProcess(site)
    let reports = try site.key("app", scope: "device", app: "com.example.app")
    let reads = try site.key("backend", scope: "read", app: "com.example.app")
    let queue = MemoryCache()
    let id = device.buyNonConsumable("pro.lifetime")
    do {
      let (kit, reporter) = try kit(reportingTo: "http://127.0.0.1:1", key: reports, queue)
      #expect(await kit.becomes { $0.allows("pro.lifetime") })
      device.advance(hours: 1)
      device.refund(id)
      #expect(await kit.becomes { !$0.allows("pro.lifetime") })
      #expect(await reporter.pending == 2)
    }
    let (kit, reporter) = try kit(reportingTo: served.url, key: reports, queue)
    #expect(await sent(reporter))
    #expect(try verdict(served, reads).contains(#""reason":"refunded""#))
    withExtendedLifetime(kit) {}
    #expect(served.stop() == 0)
  }
}
