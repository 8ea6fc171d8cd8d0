import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// What is announced to nobody, or never, or only to who listens in time.
struct MissedTests {
  @Test(arguments: Route.allCases, 1...10)
  func `the store is not looked at before the listener stands`(route: Route, run: Int) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = stage.start()
      // Announced to a listener that may be late: then the first look must show it.
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      #expect(stage.device.count.unheardListings == 0)
    }
  }

  @Test(arguments: Route.allCases)
  func `what was announced before the app listened is found by the first look`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let first = stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(await kit?.becomes { _ in stage.device.count.finished.contains(first) } == true)
      kit = nil
      #expect(await stage.start().becomes { _ in stage.device.listenerCount <= 1 })
      stage.device.advance(seconds: 1)
      stage.device.refund(first)
      let next = await stage.launch()
      #expect(await next.becomes("refunded"))
    }
  }

  @Test(arguments: Route.allCases)
  func `what is unfinished is handed over once in a launch, and not again once it is finished`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(await kit?.becomes { _ in stage.device.count.finished.contains(id) } == true)
      await kit?.refresh()
      #expect(stage.device.count.handedOver == [id])
      kit = nil
      let next = await stage.launch()
      #expect(next.word == "entitled")
      #expect(stage.device.count.handedOver == [id])
    }
  }

  @Test(arguments: Route.allCases)
  func `a refund whose announcement never comes is found on return to the foreground`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.announcesRevocations = false }
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(seconds: 120)
      stage.device.refund(id)
      #expect(kit.word == "entitled")
      await kit.refresh()
      #expect(kit.word == "refunded")
    }
  }

  @Test(arguments: Route.allCases)
  func `a renewal that a fetch puts back among the unfinished changes nothing`(
    route: Route
  ) async throws {
    try await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.syncUnfinishesLast = true }
      let first = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      let second = try #require(stage.device.renew(first))
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      #expect(await kit.becomes { _ in stage.device.count.finished.contains(second) })
      let before = stage.device.count.finished.count
      let changes = kit.changes
      try await kit.restorePurchases()
      #expect(await kit.becomes { _ in stage.device.count.finished.count > before })
      #expect(kit.word == "entitled")
      stage.device.advance(seconds: 1)
      stage.device.refund(second)
      let told = await changes.first { change in
        switch change {
        case .restored, .revoked, .purchaseGivenBack: true
        default: false
        }
      }
      guard case .revoked? = told else {
        Issue.record("told as \(String(describing: told))")
        return
      }
    }
  }

  @Test(arguments: Route.allCases)
  func `an old period that stayed unfinished is finished, so that it blocks no purchase`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.setAutoRenew(id, false)
      stage.device.advance(days: 40)
      let kit = await stage.launch()
      #expect(kit.word == "expired")
      #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
    }
  }

  @Test(arguments: Route.allCases)
  func `a revoked transaction that was never finished is finished, and does not come again`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      stage.device.refund(id)
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "refunded")
      #expect(await kit?.becomes { _ in stage.device.count.finished.contains(id) } == true)
      kit = nil
      let before = stage.device.count.finished.count
      let next = await stage.launch()
      #expect(next.word == "refunded")
      #expect(stage.device.count.finished.count == before)
    }
  }

  @Test(arguments: Route.allCases)
  func `a cold cache at launch is asked again until it shows what is owned`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.buyNonConsumable("pro.lifetime")
      stage.device.mutate { $0.change("2000000000000001") { $0.isFinished = true } }
      stage.device.listNothing()
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      stage.device.listNothing(false)
      await stage.passRetries(kit, count: 1)
      #expect(await kit.becomes("entitled"))
    }
  }
}
