import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// Each kind of product by its own rule.
struct KindTests {
  private static let rules = [
    EntitlementRule("lifetime", products: ["lifetime"], whenUnknown: .keepLastKnown(for: .days(3))),
    EntitlementRule("monthly", products: ["monthly"], whenUnknown: .keepLastKnown(for: .days(3))),
    EntitlementRule(
      "season", products: ["season"], whenUnknown: .keepLastKnown(for: .days(3)),
      lengths: ["season": .days(90)]),
    EntitlementRule("coins", products: ["coins"], whenUnknown: .keepLastKnown(for: .days(3))),
    EntitlementRule("closed", products: ["lifetime"], whenUnknown: .failClosed),
  ]

  @Test(arguments: Route.allCases)
  func `offline with a server that is down, each kind is answered by its own rule`(
    route: Route
  ) async {
    var stage = Stage(route: route)
    stage.rules = Self.rules
    stage.deliver = { _ in true }
    stage.secondOpinion = { _ in .noAnswer }
    await stage.run { stage in
      stage.device.buyNonConsumable("lifetime")
      stage.device.subscribe(to: "monthly")
      stage.device.buyNonRenewing("season")
      stage.device.buyConsumable("coins")
      var kit: Entitlements? = await stage.launch()
      #expect(
        kit?.all.map { Entitlements.word($0.answer) } == [
          "entitled", "entitled", "entitled", "neverBought", "entitled",
        ])
      kit = nil
      stage.device.goOffline()
      stage.device.listNothing()
      stage.device.failStatuses()
      stage.device.advance(days: 2)
      let next = stage.start()
      #expect(next.all.map(\.isAllowed) == [true, true, true, false, false])
      #expect(next.all.prefix(3).map(\.source) == [.cache, .cache, .cache])
    }
  }

  @Test(arguments: Route.allCases)
  func `a consumable grants nothing, not even where it is listed as owned`(route: Route) async {
    let books = CountingBooks()
    var stage = Stage(route: route)
    stage.rules = Self.rules
    stage.deliver = { await books.take($0.transactionID) }
    await stage.run { stage in
      stage.device.mutate { $0.switches.listsConsumables = true }
      let id = stage.device.buyConsumable("coins")
      for _ in 0..<3 {
        let kit = await stage.launch()
        #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
        await kit.refresh()
        #expect(!kit.allows("coins"))
      }
      #expect(await books.taken == [id])
    }
  }

  @Test(arguments: Route.allCases)
  func `a non-renewing subscription that is listed for ever ends all the same`(
    route: Route
  ) async {
    var stage = Stage(route: route)
    stage.rules = Self.rules
    await stage.run { stage in
      stage.device.buyNonRenewing("season")
      stage.device.advance(days: 400)
      let kit = await stage.launch()
      #expect(Entitlements.word(kit["season"].answer) == "expired")
    }
  }

  @Test(arguments: Route.allCases)
  func `of a non-renewing subscription bought twice the refund of one leaves the other`(
    route: Route
  ) async {
    var stage = Stage(route: route)
    stage.rules = Self.rules
    await stage.run { stage in
      let first = stage.device.buyNonRenewing("season")
      stage.device.advance(days: 10)
      let second = stage.device.buyNonRenewing("season")
      let kit = await stage.launch()
      stage.device.refund(second)
      #expect(await kit.becomes { $0["season"].transactionID == first })
      #expect(kit.allows("season"))
      stage.device.refund(first)
      #expect(await kit.becomes { !$0.allows("season") })
    }
  }

  @Test(arguments: Route.allCases)
  func `a finished consumable that was refunded while closed is told once, and not again`(
    route: Route
  ) async {
    var stage = Stage(route: route)
    stage.rules = Self.rules
    stage.deliver = { _ in true }
    await stage.run { stage in
      let id = stage.device.buyConsumable("coins", quantity: 3)
      _ = await stage.changes(ofALaunch: { kit in
        #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
      })
      stage.device.advance(hours: 1)
      stage.device.whileClosed { $0.refund(id, .partOfQuantity(1)) }
      for round in 0..<3 {
        let told = await stage.changes(ofALaunch: { await $0.refresh() }).compactMap { change in
          if case .purchaseTakenBack(let purchase) = change { purchase } else { nil }
        }
        #expect(told.map(\.transactionID) == (round == 0 ? [id] : []))
        #expect(told.map(\.share) == (round == 0 ? [RevokedShare(percentMilliunits: 33_333)] : []))
        stage.device.advance(hours: 1)
      }
    }
  }

  @Test(arguments: Route.allCases)
  func `a refund of a share of what stays ends access and says the share`(route: Route) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(seconds: 1)
      stage.device.refund(id, .prorated(percent: 50))
      #expect(await kit.becomes("refunded"))
      #expect(kit.evidence?.share == RevokedShare(percentMilliunits: 50_000))
    }
  }

  @Test(arguments: Route.allCases)
  func `a transaction that was taken back and is listed all the same does not grant`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.listsRevoked = true }
      let first = stage.device.buyNonConsumable("pro.lifetime")
      let second = stage.device.subscribe(to: "pro.monthly")
      let kit = await stage.launch()
      stage.device.whileClosed {
        $0.advance(seconds: 1)
        $0.refund(first, .prorated(percent: 50))
        $0.refund(second)
      }
      await kit.refresh()
      #expect(kit.word == "refunded")
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases)
  func `an item of an Advanced Commerce purchase that was refunded leaves the others`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.mutate { store in
        let now = store.now
        store.change(id) { $0.advancedCommerceInfo = Self.items(refundedAt: now) }
      }
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.run(.iOS18)  // No word for the kind of a revocation, as for these purchases.
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      #expect(kit.evidence?.type == nil)
    }
  }

  private static func items(refundedAt date: Timestamp) -> AdvancedCommerceTransactionInfo {
    var refund = AdvancedCommerceRefund()
    refund.refundDate = date
    refund.refundAmount = 1_000
    var refunded = AdvancedCommerceTransactionItem()
    refunded.sku = "a"
    refunded.refunds = [refund]
    refunded.revocationDate = date
    var standing = AdvancedCommerceTransactionItem()
    standing.sku = "b"
    var info = AdvancedCommerceTransactionInfo()
    info.items = [refunded, standing]
    return info
  }
}

private actor CountingBooks {
  private(set) var taken: [String] = []

  func take(_ id: String) -> Bool {
    taken.append(id)
    return true
  }
}
