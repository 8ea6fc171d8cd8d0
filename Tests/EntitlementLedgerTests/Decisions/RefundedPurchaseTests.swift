import AppStoreModel
import EntitlementLedger
import Testing

/// A revocation ends the access of its own transaction, and of no other.
struct RefundedPurchaseTests {
  private static let catalog = Catalog([
    CatalogEntry(productId: "pro", entitlements: ["pro"], length: .days(90))
  ])
  private static let kinds: [ProductType] = [
    .autoRenewableSubscription, .nonConsumable, .nonRenewingSubscription,
  ]

  private func purchase(
    _ type: ProductType, _ id: String, of original: String, _ date: Timestamp
  ) -> JWSTransactionDecodedPayload {
    Sample.month(id, from: date) {
      $0.originalTransactionId = original
      $0.type = type
      if type != .autoRenewableSubscription { $0.expiresDate = nil }
    }
  }

  private func verdict(_ facts: [LedgerFact], at now: Timestamp) -> Verdict {
    let keys = Set(facts.flatMap(\.chains))
    let answers = keys.map { key in
      Chain(key: key, folding: facts, signedBy: .distantFuture)
        .answer(at: now, catalog: Self.catalog)
    }
    return CustomerAnswer(chains: answers, at: now).decision(on: "pro").verdict
  }

  @Test(arguments: kinds, ["1", "2"])
  func `what is bought again after a refund counts, in the same chain and in another`(
    type: ProductType, secondChain: String
  ) throws {
    let first = purchase(type, "1", of: "1", .day(0))
    let again = purchase(type, "2", of: secondChain, .day(20))
    let facts = [
      try seen(first), try notified(.refund, .day(4), first.revoked(.day(4))), try seen(again),
    ]
    for order in [facts, facts.reversed(), [facts[2], facts[0], facts[1]]] {
      #expect(verdict(Array(order.prefix(3)), at: .day(21)) == .granted)
    }
    #expect(verdict(Array(facts.prefix(2)), at: .day(21)) == .denied)
    let both = facts + [try seen(again.revoked(.day(22)))]
    #expect(verdict(both, at: .day(23)) == .denied)
  }

  @Test(arguments: kinds + [.unknown("Season Ticket")], [Channel.device, .poll, .history, .import])
  func `a copy with a revocation ends access before its dates do, by whatever channel`(
    type: ProductType, channel: Channel
  ) throws {
    let dated = type == .unknown("Season Ticket")
    let bought = dated ? Sample.month { $0.type = type } : purchase(type, "1", of: "1", .day(0))
    let clean = try seen(bought)
    let revoked = try LedgerFact.from(Sample.proved(bought.revoked(.day(3))), channel: channel)
    #expect(verdict([clean], at: .day(4)) == .granted)
    for order in [[clean, revoked], [revoked, clean], [revoked]] {
      #expect(verdict(order, at: .day(4)) == .denied)
    }
  }

  // Which of four months is refunded while the fourth runs.
  @Test(arguments: 1...4, [NotificationType.refund, .revoke])
  func `a refund of any earlier period moves its money and leaves the running one`(
    refunded: Int, told: NotificationType
  ) throws {
    let months = (1...4).map { Sample.month("\($0)", from: .day(Int64(30 * $0 - 30))) }
    let isRunning = refunded == 4
    let facts =
      try months.map { try notified(.didRenew, $0.purchaseDate ?? .day(0), $0, status: .active) }
      + [
        try notified(
          told, .day(100), months[refunded - 1].revoked(.day(100)),
          status: isRunning ? .revoked : .active)
      ]
    for order in [facts, facts.reversed()] {
      #expect(verdict(order, at: .day(101)) == (isRunning ? .denied : .granted))
      let sums = chain(order).refundEntries().compactMap(\.netRefund?.milliunits)
      #expect(sums == (told == .refund ? [9_990] : []))
    }
  }

  @Test func `what Apple said before is not said again by saying it later`() throws {
    let month = Sample.month()
    let renewed = Sample.month("2", from: .day(30))
    let present = [
      try notified(.subscribed, .day(0), month, status: .active),
      try notified(.didRenew, .day(30), renewed, status: .active),
    ]
    let late = [
      try notified(.expired, .day(29), month, status: .expired),
      try notified(.didFailToRenew, .day(30, 0, -1), month, status: .billingRetry),
      try notified(
        .didChangeRenewalStatus, .day(15), month,
        Sample.renewal(signed: .day(15)) {
          $0.autoRenewStatus = .off
        }, status: .active),
    ]
    let answer = chain(present).answer(at: .day(31)).products
    for fact in late {
      #expect(chain(present + [fact]).answer(at: .day(31)).products == answer)
      #expect(chain([fact] + present).answer(at: .day(31)).products == answer)
    }
  }
}
