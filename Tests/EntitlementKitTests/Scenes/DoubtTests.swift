import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// What the store does not say is no evidence.
struct DoubtTests {
  @Test(arguments: Route.allCases)
  func `a customer who owns nothing has never bought, and no history is read`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      #expect(stage.device.count.histories == 0)
      #expect(kit.storeState == .live)
    }
  }

  @Test(arguments: Route.allCases)
  func `signed out with nothing owned, the history is never touched and no sign-in is asked`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.signOut()
      let kit = await stage.launch()
      #expect(kit.word == "unknown")
      await stage.passRetries(kit)
      #expect(await kit.becomes { $0.storeState == .unavailable })
      #expect(kit.word == "unknown")
      #expect(!kit.allows("pro"))
      #expect(stage.device.count.signInPrompts == 0)
      #expect(stage.device.count.histories == 0)
    }
  }

  @Test(arguments: Route.allCases)
  func `an empty instant locks nobody, not even where doubt is closed`(route: Route) async {
    var stage = Stage(route: route)
    stage.rules = [Stage.strict]
    await stage.run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(hours: 1)
      stage.device.listNothing()
      await kit.refresh()
      #expect(kit.allows("pro"))
      stage.device.listNothing(false)
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `a listing that stays empty ends in the last known, by policy`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(hours: 1)
      stage.device.listNothing()
      await kit.refresh()
      await stage.passRetries(kit)
      #expect(await kit.becomes("lastKnown"))
      #expect(kit.allows("pro"))
      stage.device.advance(days: 3)
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a cancelled look is discarded`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(hours: 1)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await kit.refresh()
      }
      await task.value
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `in a grace period the past expiry locks nobody`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      stage.device.failBilling(id, graceDays: 16)
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(days: 16)
      #expect(await kit.becomes("billingProblem"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a period over and listed while no state is told is doubt, not an end`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      stage.device.failBilling(id, graceDays: 16)
      stage.device.failStatuses()
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      #expect(kit.word == "lastKnown")
      #expect(kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases, [true, false])
  func `billing retry ends access, listed or not`(route: Route, listed: Bool) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.listsBillingRetry = listed }
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      stage.device.failBilling(id)
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      #expect(await kit.becomes("billingProblem"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a renewal's gap in the listing locks nobody`(route: Route) async {
    var stage = Stage(route: route)
    stage.rules = [Stage.strict]
    await stage.run { stage in
      stage.device.mutate { $0.switches.renewalGap = .seconds(2) }
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(by: .days(30))
      #expect(kit.allows("pro"))
      stage.device.renew(id)
      await kit.refresh()
      #expect(kit.allows("pro"))
      stage.device.advance(seconds: 3)
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `a subscription that was turned off ends at its expiry, and that is told`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.setAutoRenew(id, false)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      let changes = kit.changes
      _ = await kit.becomes { _ in stage.device.sleeperCount > 0 }
      stage.device.advance(days: 31)
      #expect(!kit.allows("pro"))
      let told = await changes.first { change in
        if case .ended = change { true } else { false }
      }
      #expect(told != nil)
      #expect(kit.word == "expired")
    }
  }

  @Test(arguments: Route.allCases)
  func `what StoreKit could not verify is set aside and stays unfinished`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      stage.device.breakSignature(id)
      let kit = await stage.launch()
      #expect(kit.word == "unknown")
      #expect(!kit.allows("pro"))
      #expect(
        kit.setAside == [
          SetAsideItem(
            transactionID: id, productID: "pro.lifetime", reason: .unverified("invalidSignature"))
        ])
      #expect(stage.device.count.finished.isEmpty)
    }
  }

  @Test(arguments: Route.allCases)
  func `texts in Xcode's form are read`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.signsLikeXcode = true }
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a non-renewing subscription ends by the length that its rule states`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonRenewing("pro.season")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(days: 91)
      #expect(!kit.allows("pro"))
      await kit.refresh()
      #expect(kit.word == "expired")
    }
  }

  @Test(arguments: Route.allCases)
  func `a clock set back makes nothing young again`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.setAutoRenew(id, false)
      let kit = await stage.launch()
      stage.device.advance(days: 31)
      await kit.refresh()
      #expect(kit.word == "expired")
      stage.device.setClock(toDaysFromNow: -20)
      #expect(kit.word == "expired")
    }
  }
}
