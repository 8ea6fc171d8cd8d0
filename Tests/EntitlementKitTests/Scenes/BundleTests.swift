import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// Into a bundle and out of it again: no money moves, and nobody is locked out.
struct BundleTests {
  @Test(arguments: Route.allCases)
  func `a move into a bundle keeps access and is told as a move`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      let changes = kit.changes
      stage.device.advance(days: 3)
      stage.device.moveToBundle(id, bundle: "everything")
      let told = await changes.first { change in
        switch change {
        case .movedToBundle, .revoked, .ended: true
        default: false
        }
      }
      guard case .movedToBundle? = told else {
        Issue.record("told as \(String(describing: told))")
        return
      }
      #expect(await kit.becomes { $0.pro.productID == "everything" })
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases, SimulatedSystem.allCases)
  func `a move while the app was closed keeps access on any system`(
    route: Route, system: SimulatedSystem
  ) async {
    await Stage(route: route, system: system).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.advance(days: 3)
      stage.device.whileClosed { _ = $0.moveToBundle(id, bundle: "everything") }
      let next = await stage.launch()
      #expect(await next.becomes { $0.pro.productID == "everything" })
      #expect(next.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `a bundle without the right keeps it to the end of what was paid, and not beyond`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      stage.device.run(.iOS26)
      stage.device.moveToBundle(id, bundle: "nobody.sells.this")
      await kit.refresh()
      #expect(kit.allows("pro"))
      stage.device.advance(days: 28)
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `leaving a bundle moves access to the subscription alone`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(days: 3)
      let bundle = stage.device.moveToBundle(id, bundle: "everything")
      #expect(await kit.becomes { $0.pro.productID == "everything" })
      stage.device.advance(days: 29)
      let alone = bundle.flatMap { stage.device.leaveBundle($0, for: "pro.monthly") }
      #expect(await kit.becomes { alone.flatMap($0.signedTransaction) != nil })
      stage.device.advance(days: 2)
      await kit.refresh()
      #expect(kit.word == "entitled")
      #expect(kit.pro.productID == "pro.monthly")
      #expect(kit.pro.transactionID == alone)
    }
  }

  @Test(arguments: Route.allCases)
  func `a subscription alone that is refunded after its bundle ends access`(route: Route) async {
    await Stage(route: route).run { stage in
      let bundle = stage.device.subscribe(to: "everything", group: "bundle")
      stage.device.advance(days: 30)
      let alone = stage.device.leaveBundle(bundle, for: "pro.monthly")
      stage.device.advance(days: 1)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      alone.map { stage.device.refund($0) }
      #expect(await kit.becomes("refunded"))
      #expect(kit.pro.transactionID == alone)
    }
  }
}
