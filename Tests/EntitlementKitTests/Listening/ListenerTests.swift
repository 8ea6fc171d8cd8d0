import AppStoreModel
import ChanceSupport
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

struct ListenerTests {
  /// Every kind of item, one after the other in an order of chance, and after each the same refund
  /// must still be heard.
  @Test(arguments: Route.allCases, 1...20)
  func `the listener survives every kind of item in any order`(route: Route, seed: Int) async {
    await Stage(route: route).run { stage in
      var chance = Dice(seed: UInt64(seed))
      let kit = await stage.launch()
      for _ in 0..<40 { stage.happen(&chance) }
      let id = stage.device.receiveFamilyShare(of: "pro.lifetime")
      #expect(await kit.becomes { $0.signedTransaction(id) != nil }, "seed \(seed)")
      stage.device.advance(seconds: 1)
      let changes = kit.changes
      stage.device.endFamilySharing(id)
      let told = await changes.first { change in
        if case .purchaseTakenBack(let purchase) = change {
          purchase.transactionID == id
        } else {
          false
        }
      }
      #expect(told != nil, "seed \(seed)")
      #expect(stage.device.listenerCount == 1)
      #expect(stage.device.count.greatestListeners == 1)
    }
  }

  @Test(arguments: Route.allCases)
  func `the listener ends with the object, and the next launch has one again`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      var kit: Entitlements? = await stage.launch()
      #expect(stage.device.listenerCount == 1)
      let changes = kit?.changes
      kit = nil
      for await _ in changes ?? .init(unfolding: { nil }) {}
      let next = await stage.launch()
      #expect(await next.becomes { _ in stage.device.listenerCount == 1 })
    }
  }

  @Test(arguments: Route.allCases)
  func `of an object that is gone nobody listens, sleeps or looks any more`(route: Route) async {
    await Stage(route: route).run { stage in
      stage.device.subscribe(to: "pro.monthly")
      var kit: Entitlements? = await stage.launch()
      kit?.refreshInForeground()
      // An end to wake for, and a look to repeat.
      stage.device.listNothing()
      await kit?.refresh()
      #expect(await kit?.becomes { _ in stage.device.sleeperCount >= 2 } == true)
      let isGone: () -> Bool = { [weak kit] in kit == nil }
      kit = nil
      let device = stage.device
      for _ in 0..<10_000 where !isGone() || device.attention > 0 {
        try? await Task.sleep(nanoseconds: 1_000_000)
      }
      #expect(isGone())
      #expect(device.attention == 0)
      let before = device.count.listings
      NotificationCenter.default.post(
        name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
      device.advance(days: 60)
      // Whoever looks now looks once more than this one.
      let next = await stage.launch()
      #expect(device.count.listings == before + 1)
      withExtendedLifetime(next) {}
    }
  }

  @Test func `a cancelled caller neither ends the listener nor spoils the answer`() async {
    await Stage(route: .direct).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      let caller = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await kit.refresh()
        for await _ in kit.changes {}
      }
      await caller.value
      #expect(kit.word == "entitled")
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      #expect(stage.device.listenerCount == 1)
    }
  }

  @Test func `a notice of the foreground leads to another look`() async {
    await Stage(route: .direct).run { stage in
      let kit = await stage.launch()
      kit.refreshInForeground()
      let before = stage.device.count.listings
      NotificationCenter.default.post(
        name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
      #expect(await kit.becomes { _ in stage.device.count.listings > before })
    }
  }

  #if DEBUG
    @Test func `a right shown for debugging is neither recorded nor lasting`() async {
      await Stage(route: .direct).run { stage in
        let kit = await stage.launch()
        kit.pretend("pro", isEntitled: true)
        #expect(kit.allows("pro"))
        kit.pretend("pro", isEntitled: nil)
        #expect(kit.word == "neverBought")
      }
    }
  #endif

  @Test func `an observable object follows the answers`() async {
    await Stage(route: .direct).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      let object = await ObservableEntitlements(kit)
      #expect(await object.allows("pro"))
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      for _ in 0..<10_000 where await object.all.first?.isAllowed == true {
        try? await Task.sleep(nanoseconds: 1_000_000)
      }
      #expect(await object.all.map(\.isAllowed) == [false])
      #expect(await object.storeState == .live)
    }
  }

  @Test func `an observable object that is gone is followed by nothing`() async {
    await Stage(route: .direct).run { stage in
      let kit = await stage.launch()
      for _ in 0..<3 {
        let object = await ObservableEntitlements(kit)
        #expect(kit.followerCount == 1)
        withExtendedLifetime(object) {}
      }
      #expect(await kit.becomes { $0.followerCount == 0 })
    }
  }

  @Test func `a refund can be asked for what is owned, and for nothing else`() async {
    await Stage(route: .direct).run { stage in
      let kit = await stage.launch()
      #expect(kit.pro.refundableTransactionID == nil)
      let share = stage.device.receiveFamilyShare(of: "pro.lifetime")
      #expect(await kit.becomes { $0.pro.transactionID == share })
      #expect(kit.pro.refundableTransactionID == nil)
      stage.device.endFamilySharing(share)
      #expect(await kit.becomes("familySharingEnded"))
      stage.device.advance(seconds: 1)
      let id = stage.device.buyNonConsumable("pro.lifetime")
      await kit.refresh()
      #expect(kit.pro.refundableTransactionID.map { "\($0)" } == id)
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      #expect(kit.pro.refundableTransactionID == nil)
    }
  }
}

extension Stage {
  /// One of everything that can be announced.
  fileprivate func happen(_ chance: inout Dice) {
    device.advance(by: .seconds(1))
    let known = device.mutate { $0.purchases.map(\.id) }
    let any = chance.pick(known)
    switch chance.roll(below: 12) {
    case 0: device.announceAgain(device.buyNonConsumable("pro.lifetime"))
    case 1: device.announceAgain(device.buyConsumable("coins"))
    case 2: device.announceAgain(device.subscribe(to: "pro.monthly"))
    case 3: device.announceAgain(device.buyNonConsumable("nobody.sells.this"))
    case 4: device.receiveFamilyShare(of: "pro.lifetime")
    case 5: device.receiveSeat(of: "pro.monthly")
    case 6: any.map { device.refund($0) }
    case 7: any.map { device.reverseRefund($0) }
    case 8:
      any.map {
        device.breakSignature($0)
        device.announceAgain($0)
      }
    case 9: any.map { device.announceAgain($0) }
    case 10: any.map { _ = device.renew($0) }
    default: any.map { device.failBilling($0) }
    }
  }
}

extension SimulatedDevice {
  /// How many listen, or wait for the clock.
  fileprivate var attention: Int { listenerCount + statusListenerCount + sleeperCount }
}
