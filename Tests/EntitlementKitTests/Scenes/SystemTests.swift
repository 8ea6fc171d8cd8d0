import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Testing

/// The same answers on a system that shows less.
struct SystemTests {
  @Test(arguments: Route.allCases, SimulatedSystem.allCases)
  func `a refund and its reversal are seen on every system`(
    route: Route, system: SimulatedSystem
  ) async {
    await Stage(route: route, system: system).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(kit.word == "entitled")
      stage.device.advance(seconds: 1)
      stage.device.refund(id)
      #expect(await kit.becomes("refunded"))
      let evidence = kit.evidence
      #expect(evidence?.revocationClass == .fullRefund)
      #expect(evidence?.type == (system >= .iOS26 ? .refundFull : nil))
      #expect(evidence?.share == (system >= .iOS26 ? .whole : nil))
      stage.device.advance(seconds: 1)
      stage.device.reverseRefund(id)
      #expect(await kit.becomes("entitled"))
    }
  }

  @Test(arguments: Route.allCases, SimulatedSystem.allCases)
  func `a family's end and a seat's are told apart from a refund where no system names them`(
    route: Route, system: SimulatedSystem
  ) async {
    await Stage(route: route, system: system).run { stage in
      let share = stage.device.receiveFamilyShare(of: "pro.lifetime")
      let kit = await stage.launch()
      stage.device.endFamilySharing(share)
      #expect(await kit.becomes("familySharingEnded"))
      stage.device.advance(seconds: 1)
      let seat = stage.device.receiveSeat(of: "pro.monthly")
      #expect(await kit.becomes("entitled"))
      stage.device.advance(seconds: 1)
      stage.device.withdrawSeat(seat)
      #expect(await kit.becomes("seatWithdrawn"))
    }
  }

  @Test(arguments: Route.allCases)
  func `without the app's own transaction an empty device stays unknown`(route: Route) async {
    await Stage(route: route, system: .iOS15).run { stage in
      let kit = await stage.launch()
      await stage.passRetries(kit)
      #expect(kit.word == "unknown")
      stage.device.buyNonConsumable("pro.lifetime")
      await kit.refresh()
      #expect(kit.word == "entitled")
    }
  }

  @Test(
    arguments: Route.allCases,
    [
      (7, "ASSIGNMENT_REVOKE_X", "revoked", RevocationClass.unclassified),
      (7, nil, "revoked", .unclassified),
      (1, "REFUND_BY_LAW", "revoked", .unclassified),
    ] as [(Int, String?, String, RevocationClass)])
  func `a reason or a kind that nobody knows ends access and is kept as it came`(
    route: Route, words: (reason: Int, type: String?, answer: String, of: RevocationClass)
  ) async {
    await Stage(route: route).run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      stage.device.advance(seconds: 1)
      stage.device.revoke(id, reason: words.reason, type: words.type)
      #expect(await kit.becomes(words.answer))
      #expect(kit.evidence?.reason?.rawValue == Int32(words.reason))
      #expect(kit.evidence?.type?.rawValue == words.type)
      #expect(kit.evidence?.revocationClass == words.of)
    }
  }

  @Test(arguments: Route.allCases)
  func `a paid app that was refunded is told, and told again when it is given back`(
    route: Route
  ) async {
    await Stage(route: route).run { stage in
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.appTakenBackAt == nil)
      let changes = kit?.changes
      stage.device.advance(hours: 1)
      let date = stage.device.now
      stage.device.refundApp()
      await kit?.refresh()
      #expect(kit?.appTakenBackAt == date)
      stage.device.reverseAppRefund()
      await kit?.refresh()
      #expect(kit?.appTakenBackAt == nil)
      kit = nil
      var told: [EntitlementChange] = []
      for await change in changes ?? .init(unfolding: { nil }) {
        switch change {
        case .appTakenBack, .appGivenBack: told.append(change)
        default: break
        }
      }
      #expect(told == [.appTakenBack(at: date), .appGivenBack])
    }
  }

  @Test(arguments: Route.allCases)
  func `a refund of the app is known offline at the next launch`(route: Route) async {
    await Stage(route: route).run { stage in
      let date = stage.device.now
      stage.device.refundApp()
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.appTakenBackAt == date)
      kit = nil
      stage.device.signOut()
      #expect(stage.start().appTakenBackAt == date)
    }
  }
}
