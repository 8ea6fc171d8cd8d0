import EntitlementKit
import EntitlementKitTesting
import Foundation
import StoreKit
import Testing

/// Buying, and what is bought to be used up.
struct PurchaseTests {
  @Test func `a purchase is taken in from its result, while the listing lags`() async throws {
    try await Stage(route: .storeKit).run { stage in
      stage.device.lagListings(milliseconds: 1_200)
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      let product = try #require(try await Product.products(for: ["pro.lifetime"]).first)
      let outcome = try await kit.purchase(product)
      guard case .completed(let id) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(kit.word == "entitled")
      await kit.refresh()
      #expect(kit.word == "entitled")
      #expect(stage.device.count.finished.contains(id))
    }
  }

  @Test func `a cancelled purchase and one that waits grant nothing`() async throws {
    try await Stage(route: .storeKit).run { stage in
      let kit = await stage.launch()
      let product = try #require(try await Product.products(for: ["pro.lifetime"]).first)
      stage.device.answerPurchaseSheets(.cancel)
      #expect(try await kit.purchase(product) == .cancelled)
      stage.device.answerPurchaseSheets(.askToBuy)
      #expect(try await kit.purchase(product) == .pending)
      #expect(kit.word == "neverBought")
      stage.device.approveAskToBuy()
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test(arguments: Route.allCases)
  func `a consumable is delivered once, and finished only when the app has it`(
    route: Route
  ) async {
    let books = Books()
    var stage = Stage(route: route)
    stage.deliver = { await books.take($0) }
    await stage.run { stage in
      let id = stage.device.buyConsumable("coins", quantity: 2)
      var kit: Entitlements? = await stage.launch()
      #expect(await books.becomes(asked: 1))
      #expect(stage.device.count.finished.isEmpty)
      kit = nil
      await books.open()
      kit = await stage.launch()
      #expect(await kit?.becomes { _ in stage.device.count.finished.contains(id) } == true)
      #expect(await books.taken == ["\(id) x2"])
      await kit?.refresh()
      #expect(await books.taken == ["\(id) x2"])
    }
  }

  @Test(arguments: Route.allCases)
  func `what was announced is finished after it was recorded, a refund too`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      stage.device.mutate { $0.switches.announcesOwnPurchases = true }
      let kit = await stage.launch()
      let id = stage.device.buyNonConsumable("pro.lifetime")
      #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
      #expect(kit.word == "entitled")
      let before = stage.device.count.finished.count
      stage.device.refund(id)
      #expect(await kit.becomes { _ in stage.device.count.finished.count > before })
      #expect(kit.word == "refunded")
    }
  }

  @Test(arguments: Route.allCases)
  func `a restore after a tap reads the history even of an empty device`(route: Route) async throws
  {
    try await Stage(route: route).run { stage in
      let kit = await stage.launch()
      #expect(stage.device.count.histories == 0)
      try await kit.restorePurchases()
      #expect(stage.device.count.histories == 1)
      #expect(stage.device.count.syncs == 1)
      stage.device.goOffline()
      await #expect(throws: StoreFailure.offline) { try await kit.restorePurchases() }
    }
  }
}

/// An app's own books of what was delivered.
private actor Books {
  private(set) var taken: [String] = []
  private var asked = 0
  private var isOpen = false

  func open() { isOpen = true }

  func take(_ purchase: ConsumablePurchase) -> Bool {
    asked += 1
    if isOpen { taken.append("\(purchase.transactionID) x\(purchase.quantity)") }
    return isOpen
  }

  func becomes(asked count: Int) async -> Bool {
    for _ in 0..<10_000 where asked < count { try? await Task.sleep(nanoseconds: 1_000_000) }
    return asked >= count
  }
}
