import EntitlementKit
import EntitlementKitTesting
import Foundation
import GateCore
import Testing

/// What a simulated device can do: the examples of the article about testing, whole.
struct DeviceTests {
  private let rules =
    Shop.rules + [
      EntitlementRule(
        "season", products: ["pass"], whenUnknown: .failClosed, lengths: ["pass": .days(90)])
    ]
  private let wallet = Wallet()

  @Test func `a refund closes and its reversal opens`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    #expect(entitlements.allows("pro"))
    device.advance(hours: 1)
    device.refund(id)
    #expect(await entitlements.becomes { !$0.allows("pro") })
    device.advance(hours: 1)
    device.reverseRefund(id)
    #expect(await entitlements.becomes { $0.allows("pro") })
  }

  @Test func `a season ends by its length`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let pass = device.buyNonRenewing("pass")
    await entitlements.merge(pass, from: device)
    #expect(entitlements.allows("season"))
    device.advance(days: 90)
    #expect(!entitlements.allows("season"))
  }

  @Test func `a consumable is delivered once`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(
      rules, on: device,
      deliver: { purchase in
        await wallet.credit(purchase.transactionID, coins: 100 * purchase.quantity)
      })
    let changes = entitlements.changes
    let coins = device.buyConsumable("coins", quantity: 3)
    await entitlements.merge(coins, from: device)
    #expect(await wallet.coins == 300)
    device.advance(hours: 1)
    device.refund(coins, .partOfQuantity(1))
    for await change in changes {
      guard case .purchaseTakenBack(let purchase) = change else { continue }
      #expect(purchase.transactionID == coins)
      #expect(purchase.share == RevokedShare(percentMilliunits: 33_333))
      break
    }
  }

  @Test func `a subscription renews, and ends when it was turned off`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.subscribe(to: "pro.monthly", days: 30)
    await entitlements.merge(id, from: device)
    device.advance(days: 29)
    let next = device.renew(id)
    device.advance(days: 2)
    #expect(await entitlements.becomes { $0["pro"].transactionID == next })
    device.setAutoRenew(id, false)
    device.advance(days: 30)
    await entitlements.refresh()
    #expect(!entitlements.allows("pro"))
  }

  @Test func `a failed payment ends access after its grace`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.subscribe(to: "pro.monthly", days: 30)
    await entitlements.merge(id, from: device)
    device.failBilling(id, graceDays: 6)
    device.advance(days: 35)
    await entitlements.refresh()
    #expect(entitlements.allows("pro"))
    device.advance(days: 2)
    await entitlements.refresh()
    #expect(!entitlements.allows("pro"))
  }

  @Test func `a higher tier and a move into a bundle keep access`() async {
    let device = SimulatedDevice()
    let products = ["pro.monthly", "pro.yearly", "everything"]
    let entitlements = Entitlements(
      [EntitlementRule("pro", products: products, whenUnknown: .failClosed)], on: device)
    let id = device.subscribe(to: "pro.monthly")
    await entitlements.merge(id, from: device)
    device.advance(days: 3)
    if let yearly = device.upgrade(id, to: "pro.yearly", days: 365) {
      await entitlements.merge(yearly, from: device)
    }
    #expect(entitlements["pro"].productID == "pro.yearly")
    device.advance(days: 3)
    let bundle = device.moveToBundle(id, bundle: "everything")
    #expect(await entitlements.becomes { $0["pro"].transactionID == bundle })
    #expect(entitlements.allows("pro"))
  }

  @Test func `a family's share and an organisation's seat end as what they are`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let share = device.receiveFamilyShare(of: "pro.lifetime")
    #expect(await entitlements.becomes { $0["pro"].ownershipType == .familyShared })
    device.advance(hours: 1)
    device.endFamilySharing(share)
    #expect(await entitlements.becomes { !$0.allows("pro") })
    let seat = device.receiveSeat(of: "pro.monthly")
    #expect(await entitlements.becomes { $0["pro"].ownershipType == .assigned })
    device.advance(hours: 1)
    device.withdrawSeat(seat)
    #expect(await entitlements.becomes { !$0.allows("pro") })
  }

  @Test func `a refund while the app was closed is found at its next launch`() async {
    let device = SimulatedDevice()
    let cache = MemoryCache()
    let id = device.buyNonConsumable("pro.lifetime")
    var entitlements: Entitlements? = Entitlements(rules, on: device, cache: cache)
    #expect(await entitlements?.becomes { $0.allows("pro") } == true)
    entitlements = nil
    device.advance(days: 1)
    device.whileClosed { $0.refund(id) }
    let relaunched = Entitlements(rules, on: device, cache: cache)
    #expect(await relaunched.becomes { !$0.allows("pro") })
  }

  @Test func `offline the last known counts, as long as the rule says`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    device.goOffline()
    device.advance(hours: 1)
    device.refund(id)
    #expect(entitlements.allows("pro"))
    device.comeOnline()
    await entitlements.refresh()
    #expect(!entitlements.allows("pro"))
  }

  @Test func `another customer has what is their own`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    device.signIn(as: 2)
    device.buyNonConsumable("export")
    await entitlements.refresh()
    #expect(!entitlements.allows("pro"))
    #expect(entitlements.allows("export"))
  }

  @Test func `what StoreKit cannot verify grants nothing`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    device.breakSignature(id)
    await entitlements.merge(id, from: device)
    #expect(!entitlements.allows("pro"))
    #expect(entitlements.setAside.map(\.reason) == [.unverified("invalidSignature")])
  }

  @Test func `a word that nobody knows yet ends access`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    device.advance(hours: 1)
    device.revoke(id, reason: 7, type: "SOMETHING_NEW")
    #expect(await entitlements.becomes { !$0.allows("pro") })
  }

  @Test func `listings that show nothing, or late, lock nobody`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    device.listNothing()
    device.failStatuses()
    await entitlements.refresh()
    #expect(entitlements.allows("pro"))
    device.listNothing(false)
    device.failStatuses(false)
    device.lagListings(milliseconds: 1_200)
    let export = device.buyNonConsumable("export")
    await entitlements.merge(export, from: device)
    await entitlements.refresh()
    #expect(entitlements.allows("export"))
  }

  @Test func `the App Store takes the app back, and gives it again`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    device.refundApp()
    await entitlements.refresh()
    #expect(entitlements.appTakenBackAt == device.now)
    device.reverseAppRefund()
    await entitlements.refresh()
    #expect(entitlements.appTakenBackAt == nil)
  }

  @Test func `a renewal that the device never shows is vouched for by the server`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(
      rules, on: device, secondOpinion: { _ in .entitled(until: .distantFuture) })
    let id = device.subscribe(to: "pro.monthly", days: 30)
    await entitlements.merge(id, from: device)
    device.renewUnseen(id)
    device.advance(days: 31)
    await entitlements.refresh()
    #expect(entitlements["pro"].source == .server)
  }

  @Test func `an old system shows less, and refunds all the same`() async {
    let device = SimulatedDevice()
    device.run(.iOS15)
    let entitlements = Entitlements(rules, on: device)
    let id = device.buyNonConsumable("pro.lifetime")
    await entitlements.merge(id, from: device)
    device.advance(hours: 1)
    device.refund(id)
    #expect(await entitlements.becomes { !$0.allows("pro") })
  }

  @Test func `a clock set back makes nothing young again`() async {
    let device = SimulatedDevice()
    let entitlements = Entitlements(rules, on: device)
    let pass = device.buyNonRenewing("pass")
    await entitlements.merge(pass, from: device)
    device.advance(days: 91)
    await entitlements.refresh()
    device.setClock(toDaysFromNow: -30)
    #expect(!entitlements.allows("season"))
  }
}

/// An app's own books.
private actor Wallet {
  private var credited: [String: Int] = [:]

  var coins: Int { credited.values.reduce(0, +) }

  func credit(_ transactionID: String, coins: Int) -> Bool {
    credited[transactionID] = coins
    return true
  }
}
