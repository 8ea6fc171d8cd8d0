import EntitlementKit
import EntitlementKitTesting
import GateCore

// The app without its screens, on a simulated device: what its own tests would do.
let device = SimulatedDevice()
let cache = MemoryCache()
let shop = Shop(Entitlements(Shop.rules, on: device, cache: cache))

func tell(_ what: String, when condition: @escaping @Sendable (Entitlements) -> Bool) async {
  let held = await shop.entitlements.becomes(condition)
  print("\(what) -> \(shop.line("pro"))\(held ? "" : " (too late)")")
}

await tell("launch", when: { !$0.allows("pro") && $0.storeState == .live })
let id = device.buyNonConsumable("pro.lifetime")
await shop.entitlements.merge(id, from: device)
await tell("bought", when: { $0.allows("pro") })
device.advance(hours: 1)
device.refund(id)
await tell("refunded", when: { !$0.allows("pro") })
device.advance(hours: 1)
device.reverseRefund(id)
await tell("refund undone", when: { $0.allows("pro") })
device.signIn(as: 2)
await shop.entitlements.refresh()
await tell("another customer", when: { !$0.allows("pro") })
