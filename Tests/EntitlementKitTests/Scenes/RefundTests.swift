import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// Refunds and their reversals, through the adapter and in StoreKit's place.
struct RefundTests {
  @Test(arguments: Route.allCases)
  func `a refund while the app runs takes access away at once`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      #expect(kit.storeState == .live)
      stage.device.refund(id, forAppIssue: true)
      #expect(await kit.becomes("refunded"))
      #expect(!kit.allows("pro"))
      guard case .notEntitled(.refunded(let evidence)) = kit.pro.answer else {
        Issue.record("no evidence")
        return
      }
      #expect(evidence.transactionID == id)
      #expect(evidence.reason == .developerIssue)
      #expect(evidence.type == .refundFull)
      #expect(evidence.share == .whole)
      #expect(evidence.revocationClass == .fullRefund)
      #expect(kit.signedTransaction(id)?.isEmpty == false)
    }
  }

  @Test(arguments: Route.allCases)
  func `a refund while the app was closed is found at launch without an event`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.word == "entitled")
      kit = nil
      stage.device.advance(days: 1)
      stage.device.whileClosed { $0.refund(id) }
      let next = stage.start()
      #expect(next.word == "lastKnown")
      #expect(await next.becomes("refunded"))
    }
  }

  @Test(arguments: Route.allCases, [true, false])
  func `a reversal gives access back, with an event and without`(
    route: Route, announced: Bool
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(hours: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      stage.device.advance(hours: 1)
      if announced {
        stage.device.reverseRefund(id)
      } else {
        stage.device.whileClosed { $0.reverseRefund(id) }
        await kit.refresh()
      }
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a reversal of a subscription's refund outweighs the status that said revoked`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.advance(hours: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      stage.device.advance(seconds: 300)
      stage.device.reverseRefund(id)
      #expect(await kit.becomes("entitled"))
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `the refund of an earlier period locks nothing and is told`(route: Route) async {
    await Stage(route: route).run { stage in
      let first = stage.device.subscribe(to: "pro.monthly")
      stage.device.advance(days: 29)
      stage.device.renew(first)
      stage.device.advance(days: 2)
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      let changes = kit.changes
      stage.device.refund(first)
      let told = await changes.first { change in
        if case .purchaseTakenBack(let purchase) = change {
          purchase.transactionID == first
        } else {
          false
        }
      }
      #expect(told != nil)
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(arguments: Route.allCases)
  func `bought again after a refund is granted`(route: Route) async {
    await Stage(route: route).run { stage in
      let first = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.refund(first)
      #expect(await kit.becomes("refunded"))
      stage.device.advance(days: 60)
      stage.device.whileClosed { _ = $0.buyNonConsumable("pro.lifetime") }
      await kit.refresh()
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test(arguments: Route.allCases, [true, false])
  func `an unrevoked copy just before the revoked one changes nothing`(
    route: Route, hasDetails: Bool
  ) async {
    await Stage(route: route).run { stage in
      stage.device.mutate {
        $0.switches.announcesCleanCopyFirst = true
        $0.switches.system = hasDetails ? .iOS27 : .iOS18
      }
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a refund's date that changes later is still one refund`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      let first = kit.pro.transactionID
      stage.device.advance(days: 10)
      stage.device.redateRefund(id)
      let date = stage.device.now
      #expect(
        await kit.becomes {
          if case .notEntitled(let denial) = $0.pro.answer {
            denial.revocation?.date == date
          } else {
            false
          }
        })
      #expect(kit.pro.transactionID == first)
    }
  }

  @Test(arguments: Route.allCases)
  func `a prorated refund and a part of a quantity carry their share`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.refund(id, .prorated(percent: 25))
      #expect(await kit.becomes("refunded"))
      guard case .notEntitled(.refunded(let evidence)) = kit.pro.answer else { return }
      #expect(evidence.revocationClass == .proratedRefund)
      #expect(evidence.share == RevokedShare(percentMilliunits: 25_000))
      let coins = stage.device.buyConsumable("coins", quantity: 3)
      let changes = kit.changes
      stage.device.refund(coins, .partOfQuantity(1))
      let told = await changes.first { change in
        if case .purchaseTakenBack(let purchase) = change {
          purchase.transactionID == coins && purchase.quantity == 3
            && purchase.share == RevokedShare(percentMilliunits: 33_333)
        } else {
          false
        }
      }
      #expect(told != nil)
    }
  }

  @Test(arguments: Route.allCases)
  func `a status that says revoked denies though no transaction shows it`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(hours: 2)
      stage.device.mutate { $0.changeRenewal(id) { $0.isRevokedByStatus = true } }
      await kit.refresh()
      #expect(kit.word == "revokedByStatus")
    }
  }
}
