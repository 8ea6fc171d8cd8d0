import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// Two tiers of one subscription: what is listed of the lower one after an upgrade, and what it counts.
struct TierTests {
  /// A right for each tier, so that each can be asked about.
  private static let tiers = [
    EntitlementRule("basic", products: ["pro.monthly"], whenUnknown: .keepLastKnown(for: .days(3))),
    EntitlementRule("top", products: ["pro.yearly"], whenUnknown: .keepLastKnown(for: .days(3))),
  ]

  private static func words(_ kit: Entitlements) -> [String] {
    kit.all.map { Entitlements.word($0.answer) }
  }

  @Test(arguments: Route.allCases)
  func `an upgrade moves access to the higher tier`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      stage.device.upgrade(id, to: "pro.yearly", days: 365)
      await kit.refresh()
      #expect(kit.word == "entitled")
      #expect(kit.pro.productID == "pro.yearly")
    }
  }

  @Test(arguments: Route.allCases)
  func `a refunded upgrade does not bring the lower tier back`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      guard let higher = stage.device.upgrade(id, to: "pro.yearly", days: 365) else { return }
      await kit.refresh()
      stage.device.advance(days: 1)
      stage.device.refund(higher)
      #expect(await kit.becomes("refunded"))
    }
  }

  @Test(arguments: Route.allCases, [true, false])
  func `a lower tier does not count after an upgrade, listed or not`(
    route: Route, isListed: Bool
  ) async throws {
    var stage = Stage(route: route)
    stage.rules = Self.tiers
    try await stage.run { stage async throws in
      stage.device.mutate { $0.switches.listsUpgraded = isListed }
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      #expect(Self.words(kit) == ["entitled", "neverBought"])
      stage.device.advance(days: 3)
      let higher = try #require(stage.device.upgrade(id, to: "pro.yearly", days: 365))
      #expect(stage.device.mutate { $0.listed.map(\.id).contains(id) } == isListed)
      await kit.refresh()
      #expect(Self.words(kit) == ["upgradedAway", "entitled"])
      #expect(kit["top"].transactionID == higher)
      stage.device.advance(seconds: 1)
      stage.device.refund(higher)
      #expect(await kit.becomes { !$0.allows("top") })
      await kit.refresh()
      #expect(Self.words(kit) == ["upgradedAway", "refunded"])
    }
  }

  @Test(arguments: Route.allCases)
  func `a first look that lists both tiers counts the higher one`(route: Route) async throws {
    var stage = Stage(route: route)
    stage.rules = Self.tiers
    try await stage.run { stage async throws in
      stage.device.mutate { $0.switches.listsUpgraded = true }
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 3)
      let higher = try #require(stage.device.upgrade(id, to: "pro.yearly", days: 365))
      #expect(stage.device.mutate { Set($0.listed.map(\.id)) } == [id, higher])
      #expect(await Self.words(stage.launch()) == ["upgradedAway", "entitled"])
      stage.device.advance(days: 1)
      stage.device.whileClosed { $0.refund(higher) }
      #expect(await Self.words(stage.launch()) == ["upgradedAway", "refunded"])
    }
  }

  @Test(arguments: Route.allCases)
  func `a copy from before the upgrade that is announced late brings nothing back`(
    route: Route
  ) async throws {
    var stage = Stage(route: route)
    stage.rules = Self.tiers
    try await stage.run { stage async throws in
      let id = stage.device.subscribe(to: "pro.monthly")
      let old = try #require(stage.device.mutate { $0.purchase(id) })
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      let higher = try #require(stage.device.upgrade(id, to: "pro.yearly", days: 365))
      await kit.refresh()
      stage.device.announceCopy(old)
      stage.device.advance(seconds: 1)
      stage.device.refund(higher)
      #expect(await kit.becomes { !$0.allows("top") })
      #expect(Self.words(kit) == ["upgradedAway", "refunded"])
    }
  }

  @Test(arguments: Route.allCases)
  func `while the listing lags after an upgrade nobody is locked`(route: Route) async throws {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      stage.device.lagListings(milliseconds: 1_200)
      stage.device.upgrade(id, to: "pro.yearly", days: 365)
      await kit.refresh()
      #expect(kit.allows("pro"))
      await stage.passRetries(kit, count: 2)
      #expect(kit.word == "entitled")
      #expect(kit.pro.productID == "pro.yearly")
    }
  }
}
