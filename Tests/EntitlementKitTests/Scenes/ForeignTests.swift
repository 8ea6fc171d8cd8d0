import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// What belongs to another app, another place or another customer.
struct ForeignTests {
  @Test(
    arguments: Route.allCases,
    [AppStoreEnvironment.sandbox, .xcode, .localTesting, .unknown("Other")])
  func `a purchase of another environment unlocks nothing in an app from the store`(
    route: Route, place: AppStoreEnvironment
  ) async {
    await Stage(route: route).run { stage in
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      stage.device.mutate { $0.environment = place }
      let id = stage.device.buyNonConsumable("pro.lifetime")
      stage.device.announceAgain(id)
      #expect(await kit.becomes { !$0.setAside.isEmpty })
      #expect(
        kit.setAside == [
          SetAsideItem(
            transactionID: id, productID: "pro.lifetime", reason: .foreignEnvironment)
        ])
      #expect(!kit.allows("pro"))
      #expect(!stage.device.count.finished.contains(id))
    }
  }

  @Test(arguments: Route.allCases)
  func `an app that moves from the sandbox to the store forgets what the sandbox sold`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.environment = .sandbox }
      stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.mutate {
        $0.environment = .production
        $0.purchases = []
      }
      let next = await stage.launch()
      #expect(await next.becomes("neverBought"))
      #expect(!next.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `an announced purchase of another account is set aside`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.yearly")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      let other = stage.device.mutate {
        $0.buy("pro.lifetime", type: .nonConsumable, owner: "799")
      }
      stage.device.announceAsForeign(other)
      #expect(await kit.becomes { $0.setAside.contains { $0.reason == .foreignOwner } })
      #expect(kit.pro.productID == "pro.yearly")
      #expect(kit.signedTransaction(other) == nil)
    }
  }

  @Test(arguments: Route.allCases)
  func `who signs out keeps what was last known as long as was stated, and no longer`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(hours: 1)
      stage.device.signOut()
      await kit.refresh()
      await stage.passRetries(kit)
      #expect(await kit.becomes("lastKnown"))
      #expect(kit.storeState == .unavailable)
      stage.device.advance(days: 4)
      #expect(!kit.allows("pro"))
      await #expect(throws: StoreFailure.self) { try await kit.restorePurchases() }
    }
  }

  @Test(arguments: Route.allCases)
  func `a product that no rule names is pointed out, kept, and grants nothing`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("nobody.sells.this")
      let kit = await stage.launch()
      #expect(!kit.allows("pro"))
      #expect(kit.signedTransaction(id) != nil)
      #expect(
        kit.setAside == [
          SetAsideItem(
            transactionID: id, productID: "nobody.sells.this", reason: .unmappedProduct)
        ])
      #expect(!kit.allows("nobody.sells.this"))
    }
  }

  @Test(arguments: Route.allCases)
  func `whoever paid is refunded, and the member's share ends with the payer's reason`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.receiveFamilyShare(of: "pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(seconds: 1)
      stage.device.endFamilySharing(id, forAppIssue: true)
      #expect(await kit.becomes("familySharingEnded"))
      #expect(kit.evidence?.reason == .developerIssue)
      #expect(kit.evidence?.revocationClass == .familyRevocation)
    }
  }
}
