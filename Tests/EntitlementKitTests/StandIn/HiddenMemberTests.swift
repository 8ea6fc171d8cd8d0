import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// A JSON of StoreKit's that leaves out what StoreKit's own members have.
struct HiddenMemberTests {
  private static let members: [Set<String>] = [
    ["transactionId"], ["originalTransactionId"], ["productId"], ["bundleId"], ["purchaseDate"],
    ["signedDate"], ["expiresDate"], ["subscriptionGroupIdentifier"], ["quantity"], ["type"],
    ["inAppOwnershipType"], ["isUpgraded"], ["environment"], ["revocationDate"],
    ["revocationReason"], ["revocationDate", "revocationReason"], ["revocationType"],
    ["appAccountToken"],
    [
      "transactionId", "originalTransactionId", "productId", "bundleId", "purchaseDate",
      "signedDate", "expiresDate", "subscriptionGroupIdentifier", "quantity", "type",
      "inAppOwnershipType", "isUpgraded", "environment", "revocationDate", "revocationReason",
      "appAccountToken",
    ],
  ]

  private func onStage(
    hiding members: Set<String>, _ body: @Sendable (Stage) async -> Void
  ) async {
    let stage = Stage(route: .storeKit)
    stage.device.mutate { $0.switches.hiddenMembers = members }
    await stage.run(body)
  }

  @Test(arguments: members)
  func `what the JSON leaves out of a subscription is taken from StoreKit's own members`(
    members: Set<String>
  ) async {
    await onStage(hiding: members) { stage in
      let id = stage.device.subscribe(to: "pro.monthly", days: 30)
      let kit = await stage.launch()
      #expect(await kit.becomes("entitled"))
      #expect(kit.pro.transactionID == id)
      #expect(kit.pro.productID == "pro.monthly")
      #expect(kit.pro.ownershipType == .purchased)
      #expect(kit.pro.answer == .entitled(until: stage.device.now.addingTimeInterval(2_592_000)))
      stage.device.advance(days: 1)
      let higher = stage.device.upgrade(id, to: "pro.yearly", days: 365)
      await kit.refresh()
      #expect(kit.pro.transactionID == higher)
      stage.device.advance(days: 1)
      stage.device.refund(higher ?? "", forAppIssue: true)
      #expect(await kit.becomes("refunded"))
      #expect(kit.evidence?.transactionID == higher)
      #expect(kit.evidence?.reason == .developerIssue)
      await kit.refresh()
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: members)
  func `what the JSON leaves out of a consumable is taken from StoreKit's own members`(
    members: Set<String>
  ) async {
    let token = "a1b2c3d4-0000-4000-8000-00000000000a"
    let books = Books()
    var stage = Stage(route: .storeKit)
    stage.device.mutate { $0.switches.hiddenMembers = members }
    stage.deliver = { await books.take($0) }
    await stage.run { stage in
      let id = stage.device.mutate {
        $0.buy("coins", type: .consumable, quantity: 3, appAccountToken: token)
      }
      let kit = await stage.launch()
      #expect(await kit.becomes { _ in stage.device.count.finished.contains(id) })
      let taken = await books.taken
      #expect(taken.map(\.transactionID) == [id])
      #expect(taken.map(\.productID) == ["coins"])
      #expect(taken.map(\.quantity) == [3])
      #expect(taken.map { $0.appAccountToken?.uuidString.lowercased() } == [token])
      #expect(taken.map(\.purchaseDate) == [stage.device.now])
      #expect(!kit.allows("pro"))
    }
  }
}

private actor Books {
  private(set) var taken: [ConsumablePurchase] = []

  func take(_ purchase: ConsumablePurchase) -> Bool {
    taken.append(purchase)
    return true
  }
}
