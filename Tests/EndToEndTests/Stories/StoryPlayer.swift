import AppStoreModel
import AppStoreSimulator
import EntitlementKit
import EntitlementKitTesting
import Foundation
import StoreKit
import Testing

/// A customer with a device and an app on it, which has EntitlementKit and reports to the server.
final class StoryPlayer {
  let device: CustomerDevice
  /// The app while it runs.
  private(set) var kit: Entitlements?
  private var reporter: Reporter?
  private let customer: AppStoreSimulator.Customer
  private let clock: StoryClock
  private let transport: StoryTransport
  private let rules: [EntitlementRule]
  private let bundleID: String
  private let cache = MemoryCache()
  private let queue = MemoryCache()
  /// Where the kit sleeps, and where the reporter does: a device without a store has a clock to turn.
  private let kitBed: SimulatedDevice
  private let reporterBed: SimulatedDevice

  init(
    _ customer: AppStoreSimulator.Customer, in stage: Stage, signer: JWSSigner, clock: StoryClock,
    server: URL, key: String
  ) {
    self.customer = customer
    self.clock = clock
    device = CustomerDevice(of: customer, in: stage, signer: signer)
    bundleID = stage.store.app.bundleId
    kitBed = Self.bed(at: clock.now)
    reporterBed = Self.bed(at: clock.now)
    rules = stage.store.catalog.map {
      EntitlementRule(
        $0.id, products: [$0.id], whenUnknown: .keepLastKnown(for: .days(3)),
        lengths: [$0.id: .days(3_650)])
    }
    transport = StoryTransport(
      clock: clock, reached: HTTPTransport(ReportingServer(address: server, publishableKey: key)))
  }

  /// Lets the device see the step, and the app do what follows from it.
  func follow(_ stage: Stage) async throws {
    let habits = stage.habits(of: customer)
    if !habits.isOpen {
      kit = nil
      reporter = nil
    }
    device.follow(stage)
    if habits.isOpen, kit == nil { await open() }
    guard let kit, habits.isOnline else { return }
    let isTakenIn = await waits { device.isTakenIn }
    #expect(isTakenIn, "the app has not taken everything in")
    let wrong = wrongAnswers(of: kit, at: stage)
    #expect(wrong.isEmpty, "the device of \(customer.name) is wrong about \(wrong)")
    try await settle()
  }

  /// The products about which the app says something else than the store knows.
  private func wrongAnswers(of kit: Entitlements, at stage: Stage) -> [String] {
    var wrong: [String] = []
    for product in stage.store.catalog where product.type != .consumable {
      let isOwned = stage.store.grants(product.id, to: customer, at: stage.now)
      if kit.allows(product.id) != isOwned { wrong.append(product.id) }
    }
    return wrong
  }

  /// Turns the clocks of the device, and lets whoever waited for it do what it waited for.
  func turn(to moment: Timestamp) async throws {
    for bed in [kitBed, reporterBed] {
      let span = moment.millisecondsSince1970 - bed.moment.millisecondsSince1970
      bed.advance(by: TimeSpan(milliseconds: max(0, span)))
    }
    try await settle()
  }

  /// Waits until the server has what the app has to tell, or the app waits for the server.
  private func settle() async throws {
    guard let reporter else { return }
    let (clock, bed) = (clock, reporterBed)
    let isSettled = await waits {
      if await reporter.pending == 0 { return true }
      return clock.isServerDown && bed.sleeperCount > 0
    }
    #expect(isSettled, "the app's reports do not arrive")
  }

  private static func bed(at moment: Timestamp) -> SimulatedDevice {
    SimulatedDevice(bundleID: "clock", now: moment, signer: SimulatedDevice.unsigned)
  }

  private func open() async {
    let reporter = Reporter(
      transport: transport, clock: SimulatedClock(reporterBed), storage: queue, appVersion: "1.0")
    let before = device.listings
    let kit = StandIn.$device.withValue(device) {
      Entitlements(
        rules,
        connection: StoreKitConnection(
          bundleID: bundleID, realm: .test(fingerprint: String(repeating: "0", count: 64)),
          system: SystemLevel(hasAppTransaction: true)),
        clock: SimulatedClock(kitBed), cache: cache, deliver: { _ in true }, reporter: reporter)
    }
    self.reporter = reporter
    self.kit = kit
    let hasLooked = await waits { device.listings > before }
    #expect(hasLooked, "the app did not look")
    await kit.settled()
  }

  private func waits(until condition: () async -> Bool) async -> Bool {
    for _ in 0..<20_000 {
      if await condition() { return true }
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    return await condition()
  }
}

/// The way to the server, which leads nowhere during an outage.
private struct StoryTransport: ReportTransport {
  let clock: StoryClock
  let reached: HTTPTransport

  func send(_ body: [UInt8], of batch: [ReportQueue.Text]) async -> ReportQueue.Outcome {
    clock.isServerDown ? .failed(retryAfter: nil) : await reached.send(body, of: batch)
  }
}
