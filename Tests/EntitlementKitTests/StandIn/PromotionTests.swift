import EntitlementKit
import EntitlementKitTesting
import StoreKit
import Testing

/// What begins outside of the app.
struct PromotionTests {
  private func onDevice(_ body: @Sendable (SimulatedDevice) async throws -> Void) async throws {
    let device = SimulatedDevice()
    try await StandIn.$device.withValue(SimulatedStoreKit(device)) { try await body(device) }
  }

  @Test func `a purchase that began on the App Store's page ends in the app`() async throws {
    let stage = Stage(route: .storeKit)
    try await stage.run { stage async throws in
      stage.device.chooseInAppStore("pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "neverBought")
      var intents = PurchaseIntent.intents.makeAsyncIterator()
      let intent = try #require(await intents.next())
      #expect(intent.id == "pro.lifetime")
      #expect(intent.offer == nil)
      let outcome = try await kit.purchase(intent.product)
      #expect(outcome == .completed(transactionID: try #require(kit.pro.transactionID)))
      #expect(kit.word == "entitled")
      stage.device.chooseInAppStore("pro.yearly")
      #expect(await intents.next()?.id == "pro.yearly")
    }
  }

  @Test func `promoted products are ordered, hidden and shown again`() async throws {
    try await onDevice { device in
      typealias Info = Product.PromotionInfo
      #expect(try await Info.currentOrder.isEmpty)
      try await Info.updateProductOrder(byID: ["a", "b"])
      #expect(try await Info.currentOrder.map(\.productID) == ["a", "b"])
      #expect(try await Info.currentOrder.allSatisfy { $0.visibility == .appStoreConnectDefault })
      try await Info.updateProductVisibility(.hidden, for: "a")
      #expect(device.visibilities == [false, nil])
      try await Info.updateProductOrder(byID: ["b", "a"])
      #expect(device.visibilities == [nil, false])
      var last = try #require(try await Info.currentOrder.last)
      last.visibility = .visible
      #expect(device.visibilities == [nil, false])
      try await last.update()
      #expect(try await Info.currentOrder.last == last)
      try await Info.updateAll([last])
      #expect(device.promotions.map(\.productID) == ["a"])
      try await Info.updateAll([])
      #expect(try await Info.currentOrder.isEmpty)
    }
  }

  @Test func `the App Store's messages come with their reasons`() async throws {
    try await onDevice { device in
      var messages = Message.messages.makeAsyncIterator()
      device.showMessage(Message.Reason.billingIssue.rawValue)
      device.showMessage(99)
      #expect(await messages.next()?.reason == .billingIssue)
      #expect(await messages.next()?.reason == Message.Reason(rawValue: 99))
    }
  }
}

extension SimulatedDevice {
  fileprivate var visibilities: [Bool?] { promotions.map(\.isVisible) }
}
