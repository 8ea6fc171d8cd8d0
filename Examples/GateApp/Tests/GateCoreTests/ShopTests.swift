import EntitlementKit
import EntitlementKitTesting
import GateCore
import Testing

/// What the shop says to its customers.
struct ShopTests {
  @Test func `what is bought, refunded and given back is said in the customer's words`() async {
    let device = SimulatedDevice()
    let shop = Shop(Entitlements(Shop.rules, on: device))
    #expect(await shop.entitlements.becomes { $0.storeState == .live })
    #expect(shop.line("pro") == "pro: not bought")
    let id = device.buyNonConsumable("pro.lifetime")
    await shop.entitlements.merge(id, from: device)
    #expect(shop.line("pro") == "pro: yours")
    device.advance(hours: 1)
    device.refund(id)
    #expect(await shop.entitlements.becomes { !$0.allows("pro") })
    #expect(shop.line("pro") == "pro: refunded, buy it again any time")
    device.advance(hours: 1)
    device.reverseRefund(id)
    #expect(await shop.entitlements.becomes { $0.allows("pro") })
    #expect(shop.line("pro") == "pro: yours")
  }

  @Test func `a share that ends and a period that is over are said as what they are`() async {
    let device = SimulatedDevice()
    let shop = Shop(Entitlements(Shop.rules, on: device))
    let share = device.receiveFamilyShare(of: "pro.lifetime")
    #expect(await shop.entitlements.becomes { $0.allows("pro") })
    device.advance(hours: 1)
    device.endFamilySharing(share)
    #expect(await shop.entitlements.becomes { !$0.allows("pro") })
    #expect(shop.line("pro") == "pro: no longer shared with you")
    let id = device.subscribe(to: "pro.monthly", days: 30)
    await shop.entitlements.merge(id, from: device)
    device.setAutoRenew(id, false)
    device.advance(days: 31)
    await shop.entitlements.refresh()
    #expect(shop.line("pro") == "pro: over")
  }

  @Test func `without an answer the export is closed and pro stays for three days`() async {
    let device = SimulatedDevice()
    let cache = MemoryCache()
    device.buyNonConsumable("pro.lifetime")
    device.buyNonConsumable("export")
    let before = Shop(Entitlements(Shop.rules, on: device, cache: cache))
    #expect(await before.entitlements.becomes { $0.allows("pro") && $0.allows("export") })
    device.listNothing()
    let shop = Shop(Entitlements(Shop.rules, on: device, cache: cache))
    #expect(shop.line("export") == "export: asking the App Store")
    #expect(!shop.entitlements.allows("export"))
    #expect(shop.entitlements.allows("pro"))
    device.advance(days: 4)
    #expect(!shop.entitlements.allows("pro"))
  }
}
