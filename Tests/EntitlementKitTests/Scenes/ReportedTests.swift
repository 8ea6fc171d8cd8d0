import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// Faults of other apps that were reported in public, each as its whole kind.
struct ReportedTests {
  /// Something that can be owned, and how it is taken away.
  enum Kind: CaseIterable, Sendable {
    case lifetime, season, subscription, familyShare, seat

    func begin(on device: SimulatedDevice) -> SimulatedTransactionID {
      switch self {
      case .lifetime: device.buyNonConsumable("pro.lifetime")
      case .season: device.buyNonRenewing("pro.season")
      case .subscription: device.subscribe(to: "pro.monthly")
      case .familyShare: device.receiveFamilyShare(of: "pro.lifetime")
      case .seat: device.receiveSeat(of: "pro.monthly")
      }
    }

    func takeAway(_ id: SimulatedTransactionID, on device: SimulatedDevice) {
      switch self {
      case .lifetime, .season, .subscription: device.refund(id)
      case .familyShare: device.endFamilySharing(id)
      case .seat: device.withdrawSeat(id)
      }
    }

    var denial: String {
      switch self {
      case .lifetime, .season, .subscription: "refunded"
      case .familyShare: "familySharingEnded"
      case .seat: "seatWithdrawn"
      }
    }

    var revocationType: RevocationType {
      switch self {
      case .lifetime, .season, .subscription: .refundFull
      case .familyShare: .familyRevoke
      case .seat: .assignmentRevoke
      }
    }

    /// Absent where no money went back.
    var share: RevokedShare? {
      switch self {
      case .lifetime, .season, .subscription: .whole
      case .familyShare, .seat: nil
      }
    }

    var ownership: InAppOwnershipType {
      switch self {
      case .lifetime, .season, .subscription: .purchased
      case .familyShare: .familyShared
      case .seat: .assigned
      }
    }
  }

  /// The rights that were told to change, with the word for how.
  private static func words(_ changes: [EntitlementChange]) -> [String] {
    changes.compactMap { change in
      switch change {
      case .granted(let entitlement): "granted \(entitlement.id)"
      case .revoked(let entitlement): "revoked \(entitlement.id)"
      case .restored(let entitlement): "restored \(entitlement.id)"
      default: nil
      }
    }
  }

  @Test(arguments: Route.allCases, Kind.allCases)
  func `of every kind the taking back under the same id is told at once, and its undoing`(
    route: Route, kind: Kind
  ) async {
    await Stage(route: route).run { stage in
      let told = await stage.changes(ofALaunch: { kit in
        stage.device.advance(seconds: 1)
        let id = kind.begin(on: stage.device)
        stage.device.announceAgain(id)
        #expect(await kit.becomes("entitled"))
        #expect(kit.pro.ownershipType == kind.ownership)
        // Once more as it is: who remembers ids alone takes what follows for a repeat too.
        stage.device.announceAgain(id)
        stage.device.advance(seconds: 1)
        kind.takeAway(id, on: stage.device)
        #expect(await kit.becomes(kind.denial))
        #expect(!kit.allows("pro"))
        #expect(kit.evidence?.transactionID == id)
        #expect(kit.evidence?.ownershipType == kind.ownership)
        #expect(await kit.becomes { _ in stage.device.count.finished.last == id })
        stage.device.advance(seconds: 1)
        stage.device.reverseRefund(id)
        #expect(await kit.becomes("entitled"))
      })
      #expect(Self.words(told) == ["granted pro", "revoked pro", "restored pro"])
    }
  }

  /// The ways in which StoreKit can show a transaction.
  enum Sighting: CaseIterable, Sendable {
    case listed, history, unfinished, announced, status
  }

  @Test(arguments: Sighting.allCases, Kind.allCases)
  func `what was taken back grants by no sequence that shows it`(
    sighting: Sighting, kind: Kind
  ) async {
    await Stage(route: .storeKit).run { stage in
      let id = stage.device.whileClosed { kind.begin(on: $0) }
      stage.device.advance(seconds: 1)
      stage.device.whileClosed { kind.takeAway(id, on: $0) }
      stage.device.mutate { $0.switches.listsRevoked = sighting == .listed }
      if sighting != .unfinished { stage.device.mutate { $0.change(id) { $0.isFinished = true } } }
      let kit = await stage.launch()
      switch sighting {
      case .listed, .unfinished: break
      case .announced, .status:
        stage.device.announceAgain(id)
        stage.device.setAutoRenew(id, true)
      case .history:
        try? await kit.restorePurchases()
      }
      #expect(await kit.becomes(kind.denial))
      #expect(!kit.allows("pro"))
    }
  }

  @Test(arguments: Route.allCases, [Kind.lifetime, .season, .subscription])
  func `of every kind the second purchase after a refund grants, and the refund stays told`(
    route: Route, kind: Kind
  ) async {
    await Stage(route: route).run { stage in
      let first = kind.begin(on: stage.device)
      let kit = await stage.launch()
      stage.device.advance(days: 1)
      kind.takeAway(first, on: stage.device)
      #expect(await kit.becomes("refunded"))
      stage.device.advance(days: 1)
      let second = kind.begin(on: stage.device)
      await kit.merge(second, from: stage.device)
      #expect(await kit.becomes("entitled"))
      #expect(kit.pro.transactionID == second)
      await kit.refresh()
      #expect(kit.pro.transactionID == second)
      let next = await stage.launch()
      #expect(await next.becomes("entitled"))
    }
  }

  /// How access ends.
  enum Ending: CaseIterable, Sendable {
    case refund, expiry, familyEnd, billing

    var word: String {
      switch self {
      case .refund: "refunded"
      case .expiry: "expired"
      case .familyEnd: "familySharingEnded"
      case .billing: "billingProblem"
      }
    }
  }

  @Test(arguments: Route.allCases, Ending.allCases)
  func `every no is kept for a launch that sees nothing of the store`(
    route: Route, ending: Ending
  ) async {
    await Stage(route: route).run { stage in
      let id: String
      switch ending {
      case .refund: id = stage.device.buyNonConsumable("pro.lifetime")
      case .familyEnd: id = stage.device.receiveFamilyShare(of: "pro.lifetime")
      case .expiry, .billing: id = stage.device.subscribe(to: "pro.monthly")
      }
      var kit: Entitlements? = await stage.launch()
      #expect(kit?.allows("pro") == true)
      stage.device.advance(days: 1)
      switch ending {
      case .refund: stage.device.refund(id)
      case .familyEnd: stage.device.endFamilySharing(id)
      case .expiry:
        stage.device.setAutoRenew(id, false)
        stage.device.advance(days: 31)
      case .billing:
        stage.device.failBilling(id)
        stage.device.advance(days: 31)
      }
      await kit?.refresh()
      #expect(await kit?.becomes(ending.word) == true)
      kit = nil
      stage.device.goOffline()
      stage.device.listNothing()
      stage.device.failStatuses()
      let next = stage.start()
      #expect(next.word == ending.word)
      #expect(!next.allows("pro"))
      #expect(next.pro.source == .cache)
    }
  }

  /// Where an app runs: from Xcode, from TestFlight, from the store.
  enum Place: CaseIterable, Sendable {
    case production, sandbox, xcode, localTesting

    var environment: AppStoreEnvironment {
      switch self {
      case .production: .production
      case .sandbox: .sandbox
      case .xcode: .xcode
      case .localTesting: .localTesting
      }
    }
  }

  @Test(arguments: Place.allCases, Kind.allCases)
  func `wherever the app runs, what is taken back ends at once, with no server behind it`(
    place: Place, kind: Kind
  ) async {
    for route in Route.allCases {
      await Stage(route: route).run { stage in
        stage.device.mutate {
          $0.environment = place.environment
          $0.switches.signsLikeXcode = place == .xcode
        }
        let id = stage.device.whileClosed { kind.begin(on: $0) }
        let kit = await stage.launch()
        #expect(await kit.becomes("entitled"))
        stage.device.advance(seconds: 1)
        kind.takeAway(id, on: stage.device)
        #expect(await kit.becomes(kind.denial))
        #expect(!kit.allows("pro"))
        stage.device.advance(seconds: 1)
        stage.device.reverseRefund(id)
        #expect(await kit.becomes("entitled"))
      }
    }
  }

  @Test(arguments: Kind.allCases, SimulatedSystem.allCases)
  func `of every kind what Apple signed of its end arrives, and what it left out stays absent`(
    kind: Kind, system: SimulatedSystem
  ) async {
    for route in Route.allCases {
      await Stage(route: route, system: system).run { stage in
        let id = stage.device.whileClosed { kind.begin(on: $0) }
        let kit = await stage.launch()
        let changes = kit.changes
        stage.device.advance(seconds: 1)
        let moment = stage.device.now
        kind.takeAway(id, on: stage.device)
        #expect(await kit.becomes(kind.denial))
        var taken: TakenBackPurchase?
        for await change in changes {
          guard case .purchaseTakenBack(let purchase) = change else { continue }
          taken = purchase
          break
        }
        let isDetailed = system >= .iOS26
        #expect(taken?.transactionID == id)
        #expect(taken?.ownershipType == kind.ownership)
        #expect(taken?.revocationDate == moment)
        #expect(taken?.reason == .other)
        #expect(taken?.type == (isDetailed ? kind.revocationType : nil))
        #expect(taken?.share == (isDetailed ? kind.share : nil))
        #expect(taken?.appAccountToken == nil)
        #expect(kit.evidence?.type == taken?.type)
        #expect(kit.evidence?.share == taken?.share)
      }
    }
  }

  @Test(arguments: Route.allCases)
  func `without a rule nothing is allowed, whatever is owned`(route: Route) async {
    var stage = Stage(route: route)
    stage.rules = []
    await stage.run { stage in
      let id = stage.device.buyNonConsumable("pro.lifetime")
      let kit = await stage.launch()
      #expect(!kit.allows("pro"))
      #expect(!kit.allows("pro.lifetime"))
      #expect(!kit.allows(""))
      #expect(kit.all.isEmpty)
      #expect(kit.setAside.map(\.transactionID) == [id])
    }
  }

  @Test(arguments: Route.allCases)
  func `what the app passed and Apple signed of a refund arrives with it`(route: Route) async {
    await Stage(route: route).run { stage in
      let token = UUID()
      let kit = await stage.launch()
      let changes = kit.changes
      let id = stage.device.mutate {
        $0.buy(
          "coins", type: .consumable, quantity: 4,
          appAccountToken: token.uuidString.lowercased())
      }
      stage.device.announceAgain(id)
      stage.device.advance(seconds: 1)
      let moment = stage.device.now
      stage.device.refund(id, .partOfQuantity(1), forAppIssue: true)
      var taken: TakenBackPurchase?
      for await change in changes {
        guard case .purchaseTakenBack(let purchase) = change else { continue }
        taken = purchase
        break
      }
      #expect(taken?.transactionID == id)
      #expect(taken?.productID == "coins")
      #expect(taken?.productType == .consumable)
      #expect(taken?.ownershipType == .purchased)
      #expect(taken?.quantity == 4)
      #expect(taken?.revocationDate == moment)
      #expect(taken?.reason == .developerIssue)
      #expect(taken?.type == .refundProrated)
      #expect(taken?.share == RevokedShare(percentMilliunits: 25_000))
      #expect(taken?.appAccountToken == token)
    }
  }
}
