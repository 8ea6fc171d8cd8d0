import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import StoreKit
import Testing

/// Purchases through StoreKit's own sheet, and the odd ways in which they end.
struct SheetTests {
  private func bought(
    _ productID: String, with kit: Entitlements
  ) async throws -> PurchaseOutcome {
    try await kit.purchase(try #require(try await Product.products(for: [productID]).first))
  }

  private func stage() -> Stage {
    let stage = Stage(route: .storeKit)
    stage.device.sell("pro.monthly", as: .subscription(days: 30, level: 2))
    stage.device.sell("pro.yearly", as: .subscription(days: 365, level: 1))
    stage.device.sell("pro.season", as: .nonRenewing)
    stage.device.sell("coins", as: .consumable)
    return stage
  }

  @Test func `products of every kind are described as what they are`() async throws {
    try await stage().run { _ async throws in
      let ids = ["pro.lifetime", "pro.monthly", "pro.season", "coins"]
      let products = try await Product.products(for: ids)
      #expect(
        products.map(\.type) == [.nonConsumable, .autoRenewable, .nonRenewable, .consumable])
      #expect(products.map { $0.subscription?.subscriptionGroupID } == [nil, "group", nil, nil])
    }
  }

  @Test func `a subscription is taken in from its result, while the listing lags`() async throws {
    try await stage().run { stage async throws in
      stage.device.lagListings(milliseconds: 1_200)
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      guard case .completed(let id) = try await bought("pro.monthly", with: kit) else {
        Issue.record("not completed")
        return
      }
      #expect(kit.word == "entitled")
      #expect(kit.pro.transactionID == id)
      await kit.refresh()
      #expect(kit.word == "entitled")
      stage.device.advance(seconds: 2)
      await kit.refresh()
      #expect(kit.word == "entitled")
      #expect(stage.device.count.finished.contains(id))
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
    }
  }

  @Test func `a non-renewing subscription bought by its sheet lasts as its rule states`()
    async throws
  {
    try await stage().run { stage async throws in
      let kit = await stage.launch()
      _ = try await bought("pro.season", with: kit)
      #expect(kit.word == "entitled")
      stage.device.advance(days: 91)
      #expect(kit.word == "expired")
    }
  }

  @Test func `a non-consumable that is owned comes back as the first purchase`() async throws {
    try await stage().run { stage async throws in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(try await bought("pro.lifetime", with: kit) == .completed(transactionID: id))
      #expect(kit.pro.transactionID == id)
    }
  }

  @Test func `a purchase after a refund is another transaction, and grants`() async throws {
    try await stage().run { stage async throws in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      stage.device.advance(days: 1)
      let outcome = try await bought("pro.lifetime", with: kit)
      #expect(outcome != .completed(transactionID: id))
      #expect(kit.word == "entitled")
    }
  }

  @Test func `a lapsed subscription that hands back its expired transaction grants nothing`()
    async throws
  {
    try await stage().run { stage async throws in
      stage.device.mutate { $0.switches.resellsLapsed = true }
      let id = stage.device.subscribe(to: "pro.monthly")
      stage.device.setAutoRenew(id, false)
      stage.device.advance(days: 31)
      let kit = await stage.launch()
      #expect(kit.word == "expired")
      #expect(try await bought("pro.monthly", with: kit) == .completed(transactionID: id))
      #expect(kit.word == "expired")
      #expect(!kit.allows("pro"))
      stage.device.mutate { $0.switches.resellsLapsed = false }
      #expect(try await bought("pro.monthly", with: kit) != .completed(transactionID: id))
      #expect(kit.word == "entitled")
    }
  }

  @Test func `an upgrade is another transaction, and a downgrade the one that is held`()
    async throws
  {
    try await stage().run { stage async throws in
      let kit = await stage.launch()
      guard case .completed(let monthly) = try await bought("pro.monthly", with: kit),
        case .completed(let yearly) = try await bought("pro.yearly", with: kit)
      else {
        Issue.record("not completed")
        return
      }
      #expect(monthly != yearly)
      await kit.refresh()
      #expect(kit.pro.productID == "pro.yearly")
      #expect(try await bought("pro.monthly", with: kit) == .completed(transactionID: yearly))
      #expect(kit.word == "entitled")
      #expect(kit.pro.productID == "pro.yearly")
    }
  }

  @Test func `a purchase that cannot be verified grants nothing and stays unfinished`()
    async throws
  {
    try await stage().run { stage async throws in
      stage.device.mutate { $0.switches.breaksPurchases = true }
      let kit = await stage.launch()
      #expect(try await bought("pro.lifetime", with: kit) == .unverified("invalidSignature"))
      #expect(!kit.allows("pro"))
      #expect(stage.device.count.finished.isEmpty)
      #expect(kit.setAside.map(\.reason) == [.unverified("invalidSignature")])
    }
  }

  @Test(arguments: [true, false])
  func `a sheet that is closed is a cancelled purchase, told as a value or thrown`(
    throwing: Bool
  ) async throws {
    try await stage().run { stage async throws in
      stage.device.mutate { $0.switches.throwsWhenCancelled = throwing }
      stage.device.answerPurchaseSheets(.cancel)
      let kit = await stage.launch()
      #expect(try await bought("pro.lifetime", with: kit) == .cancelled)
      #expect(kit.word == "neverBought")
    }
  }

  @Test(arguments: ["pro.lifetime", "pro.monthly", "pro.season"])
  func `a parent's consent grants what waited, of any kind`(productID: String) async throws {
    try await stage().run { stage async throws in
      stage.device.answerPurchaseSheets(.askToBuy)
      let kit = await stage.launch()
      #expect(try await bought(productID, with: kit) == .pending)
      #expect(kit.word == "neverBought")
      stage.device.approveAskToBuy()
      #expect(await kit.becomes("entitled"))
      #expect(kit.pro.productID == productID)
    }
  }

  @Test func `a parent's consent while the app was closed is found at launch`() async throws {
    try await stage().run { stage async throws in
      stage.device.answerPurchaseSheets(.askToBuy)
      var kit: Entitlements? = await stage.launch()
      #expect(try await bought("pro.lifetime", with: try #require(kit)) == .pending)
      kit = nil
      stage.device.whileClosed { $0.approveAskToBuy() }
      let next = await stage.launch()
      #expect(await next.becomes("entitled"))
    }
  }

  @Test func `a parent's refusal tells nobody anything, and nothing is granted`() async throws {
    try await stage().run { stage async throws in
      stage.device.answerPurchaseSheets(.askToBuy)
      let kit = await stage.launch()
      #expect(try await bought("pro.lifetime", with: kit) == .pending)
      stage.device.declineAskToBuy()
      stage.device.approveAskToBuy()
      stage.device.answerPurchaseSheets(.confirm)
      await kit.refresh()
      #expect(kit.word == "neverBought")
      _ = try await bought("pro.lifetime", with: kit)
      #expect(kit.word == "entitled")
    }
  }

  @Test func `the result of one of Apple's own views is taken in as the kit's own purchase is`()
    async throws
  {
    try await stage().run { stage async throws in
      let kit = await stage.launch()
      let product = try #require(try await Product.products(for: ["pro.lifetime"]).first)
      let result = try await product.purchase()
      #expect(kit.word == "neverBought")
      guard case .completed = await kit.merge(result) else {
        Issue.record("not completed")
        return
      }
      #expect(kit.word == "entitled")
    }
  }

  @Test func `the token and the quantity of a purchase arrive with it`() async throws {
    let books = TokenBooks()
    var stage = stage()
    stage.deliver = { await books.take($0) }
    try await stage.run { stage async throws in
      let kit = await stage.launch()
      let token = UUID()
      let coins = try #require(try await Product.products(for: ["coins"]).first)
      _ = try await kit.purchase(coins, options: [.appAccountToken(token), .quantity(3)])
      #expect(await books.taken == ["\(token.uuidString) x3"])
    }
  }

  @Test func `a same-device purchase that is announced besides is one purchase`() async throws {
    let books = TokenBooks()
    var stage = stage()
    stage.deliver = { await books.take($0) }
    try await stage.run { stage async throws in
      stage.device.mutate { $0.switches.announcesOwnPurchases = true }
      let kit = await stage.launch()
      guard case .completed(let id) = try await bought("coins", with: kit) else { return }
      #expect(await kit.becomes { _ in stage.device.count.finished.filter { $0 == id }.count > 1 })
      #expect(await books.taken.count == 1)
    }
  }
}

/// Books by the customer's token.
private actor TokenBooks {
  private(set) var taken: [String] = []

  func take(_ purchase: ConsumablePurchase) -> Bool {
    let who = purchase.appAccountToken?.uuidString ?? "nobody"
    taken.append("\(who) x\(purchase.quantity)")
    return true
  }
}
