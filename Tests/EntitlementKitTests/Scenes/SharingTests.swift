import EntitlementKit
import EntitlementKitTesting
import Testing

/// Families, organisations, tiers and accounts.
struct SharingTests {
  @Test(arguments: Route.allCases)
  func `the end of family sharing is not a refund`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.receiveFamilyShare(of: "pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.endFamilySharing(id)
      #expect(await kit.becomes("familySharingEnded"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a purchase of one's own outlives the end of a share`(route: Route) async {
    await Stage(route: route).run { stage in
      let shared = stage.device.receiveFamilyShare(of: "pro.lifetime")
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.endFamilySharing(shared)
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `a seat that is withdrawn ends access`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.receiveSeat(of: "pro.monthly")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.withdrawSeat(id)
      #expect(await kit.becomes("seatWithdrawn"))
    }
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

  @Test(arguments: Route.allCases)
  func `another account's purchases are forgotten, in the cache too`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.signIn(as: 2)
      let next = await stage.launch()
      #expect(await next.becomes("neverBought"))
      stage.device.signIn(as: 3)
      stage.device.buyNonConsumable("pro.lifetime")
      await next.refresh()
      #expect(next.word == "entitled")
    }
  }
}
