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
