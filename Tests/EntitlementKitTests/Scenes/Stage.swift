import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import StoreKit

/// The two ways from the simulated device to the kit.
enum Route: CaseIterable, Sendable {
  /// In StoreKit's place, as in an app's own tests.
  case direct
  /// Through the stand-in and the adapter that ships to phones.
  case storeKit
}

/// A device, the cache that survives a relaunch, and the kit on it.
struct Stage: Sendable {
  static let pro = EntitlementRule(
    "pro", products: ["pro.lifetime", "pro.monthly", "pro.yearly", "everything", "pro.season"],
    whenUnknown: .keepLastKnown(for: .days(3)), lengths: ["pro.season": .days(90)])
  static let strict = EntitlementRule("pro", products: pro.products, whenUnknown: .failClosed)

  let route: Route
  let device: SimulatedDevice
  let cache = MemoryCache()
  var rules = [Stage.pro]
  var deliver: ConsumableDelivery?
  var secondOpinion: SecondOpinion?

  init(route: Route, system: SimulatedSystem = .iOS27) {
    self.route = route
    device = SimulatedDevice()
    device.run(system)
  }

  func run(_ body: @Sendable (Stage) async throws -> Void) async rethrows {
    try await StandIn.$device.withValue(SimulatedStoreKit(device)) { try await body(self) }
  }

  /// Starts the app and waits for its first look at the store.
  func launch() async -> Entitlements {
    let before = device.count.listings
    let kit = start()
    _ = await kit.becomes { _ in device.count.listings > before && device.listenerCount > 0 }
    await kit.settled()
    return kit
  }

  private var system: SimulatedSystem { device.mutate { $0.switches.system } }

  func start() -> Entitlements {
    switch route {
    case .direct:
      Entitlements(rules, on: device, cache: cache, deliver: deliver, secondOpinion: secondOpinion)
    case .storeKit:
      Entitlements(
        rules,
        connection: StoreKitConnection(
          bundleID: "com.example.app", realm: .test(fingerprint: String(repeating: "0", count: 64)),
          system: SystemLevel(hasAppTransaction: system.hasAppTransaction)),
        clock: SimulatedClock(device), cache: cache, deliver: deliver,
        secondOpinion: secondOpinion)
    }
  }

  /// Starts the app, lets it do something, ends it, and returns all that it was told.
  func changes(
    ofALaunch body: @Sendable (Entitlements) async -> Void
  ) async -> [EntitlementChange] {
    let changes = await follow(body)
    var told: [EntitlementChange] = []
    for await change in changes { told.append(change) }
    return told
  }

  private func follow(
    _ body: @Sendable (Entitlements) async -> Void
  ) async -> AsyncStream<EntitlementChange> {
    let kit = await launch()
    await body(kit)
    await kit.settled()
    return kit.changes
  }

  /// Lets the waits before repeated looks pass, until the store has been asked that often more.
  func passRetries(_ kit: Entitlements, count: Int = ReadingVerdict.retryDelays.count) async {
    for wait in ReadingVerdict.retryDelays.prefix(count) {
      let before = device.count.listings
      _ = await kit.becomes { _ in device.sleeperCount > 0 }
      device.advance(by: wait)
      _ = await kit.becomes { _ in device.count.listings > before }
      await kit.settled()
    }
  }
}

extension Entitlements {
  var pro: Entitlement { self["pro"] }

  /// What was signed of the revocation behind a refusal.
  var evidence: RevocationEvidence? {
    if case .notEntitled(let denial) = pro.answer { denial.revocation } else { nil }
  }

  /// The word of the answer, for rows.
  var word: String { Self.word(pro.answer) }

  static func word(_ answer: EntitlementAnswer) -> String {
    switch answer {
    case .entitled: "entitled"
    case .unknown(let last): last == nil ? "unknown" : "lastKnown"
    case .notEntitled(let denial):
      switch denial {
      case .neverBought: "neverBought"
      case .expired: "expired"
      case .billingProblem: "billingProblem"
      case .refunded: "refunded"
      case .familySharingEnded: "familySharingEnded"
      case .seatWithdrawn: "seatWithdrawn"
      case .revoked: "revoked"
      case .revokedByStatus: "revokedByStatus"
      case .upgradedAway: "upgradedAway"
      case .movedToBundle: "movedToBundle"
      case .notBegun: "notBegun"
      }
    }
  }

  func becomes(_ word: String) async -> Bool {
    let held = await becomes { $0.word == word }
    await settled()
    return held
  }
}
