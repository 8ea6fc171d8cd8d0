import AppStoreModel
import EntitlementLedger
import Testing

struct StatusTests {
  private let month = Sample.month()

  private func reason(_ facts: LedgerFact..., at now: Timestamp) -> DecisionReason? {
    chain(facts).answer(at: now).products.first?.reason
  }

  @Test func `status 5 denies the newest period, also when nothing shows a date`() throws {
    let facts = [
      try seen(month), try notified(.didChangeRenewalStatus, .day(9), month, status: .revoked),
    ]
    let answer = chain(facts).answer(at: .day(10))
    #expect(answer.products.map(\.reason) == [.revokedByStatus])
    #expect(answer.products.first?.evidence.status == .revoked)
    #expect(answer.products.first?.evidence.statusDate == .day(9))
    #expect(answer.doubts == [.statusAtOdds])
    #expect(chain(facts).explanation(at: .day(10)).statusEffect == .denies)
    let shown = facts + [try seen(month.revoked(.day(8)))]
    #expect(chain(shown).answer(at: .day(10)).products.map(\.reason) == [.refunded])
    #expect(chain(shown).answer(at: .day(10)).doubts == [])
  }

  @Test func `status 5 older than the newest purchase or than a reversal denies nothing`() throws {
    let old = try notified(
      .refund, .day(5), month.revoked(.day(5)), status: .revoked)
    let again = try seen(Sample.month("2", from: .day(6)))
    #expect(reason(old, again, at: .day(7)) == .activePeriod)
    let info = try seen(Sample.month(signed: .day(6)), by: .poll)
    #expect(reason(old, info, at: .day(7)) == .activePeriod)
    #expect(chain(old, info).answer(at: .day(7)).doubts == [.statusAtOdds])
  }

  @Test func `status 5 that something else explains is set aside, and Apple is asked`() throws {
    let again = try seen(Sample.month("2", from: .day(6)))
    let late = try notified(.refund, .day(8), month.revoked(.day(5)), status: .revoked)
    #expect(reason(again, late, at: .day(9)) == .activePeriod)
    let known = chain(again, late)
    #expect(known.answer(at: .day(9)).doubts == [.statusAtOdds, .statusExplained])
    #expect(known.explanation(at: .day(9)).statusEffect == .explained)

    let told = try notified(.didChangeRenewalStatus, .day(9), month, status: .revoked)
    let soon = try seen(Sample.month(signed: .day(9, 0, 14)), by: .poll)
    let later = try seen(Sample.month(signed: .day(9, 0, 15)), by: .poll)
    #expect(reason(told, soon, at: .day(10)) == .revokedByStatus)
    #expect(reason(told, later, at: .day(10)) == .activePeriod)
  }

  @Test func `status 5 with no period begun denies`() throws {
    let future = Sample.month("2", from: .day(30), signed: .day(29))
    let told = try notified(.didChangeRenewalStatus, .day(29, 1), future, status: .revoked)
    #expect(reason(told, at: .day(29, 2)) == .revokedByStatus)
  }

  @Test func `status 5 beside a move to a bundle is explained`() throws {
    let moved = month.revoked(.day(5), reason: .upgradedToBundle)
    let told = try notified(.didChangeRenewalPref, .day(5), moved, status: .revoked)
    #expect(reason(told, at: .day(6)) == .activePeriod)
    let bundle = try seen(
      Sample.month("9", from: .day(7)) {
        $0.originalTransactionId = "9"
        $0.previousOriginalTransactionId = "1"
      })
    #expect(reason(told, bundle, at: .day(8)) == .movedToBundle)
    #expect(reason(told, bundle, at: .day(31)) == .expired)
  }

  @Test func `status 1 grants a period that was not seen until its renewal date`() throws {
    let renewal = Sample.renewal(signed: .day(31)) {
      $0.renewalDate = .day(60)
      $0.productId = "premium"
    }
    let known = chain(
      try notified(.didChangeRenewalStatus, .day(31), month, renewal, status: .active))
    let answer = known.answer(at: .day(32))
    #expect(answer.products.map(\.productId) == ["premium", "pro"])
    #expect(answer.products.map(\.reason) == [.activeByStatus, .expired])
    #expect(answer.products.first?.until == .day(60))
    #expect(answer.products.first?.evidence.transactionId == nil)
    #expect(answer.doubts == [])
    #expect(known.explanation(at: .day(32)).statusEffect == .grants)
    #expect(known.answer(at: .day(60)).doubts == [.statusAtOdds])
    let catalog = Catalog([CatalogEntry(productId: "pro", entitlements: ["pro"])])
    #expect(
      known.answer(at: .day(32), catalog: catalog).products.first?.reason == .unmappedProduct)
  }

  @Test func `status 1 grants nothing over a revocation`() throws {
    let renewal = Sample.renewal(signed: .day(10)) { $0.renewalDate = .day(60) }
    let running = try notified(
      .refund, .day(10), month.revoked(.day(10)), renewal, status: .active)
    #expect(reason(running, at: .day(11)) == .refunded)
    #expect(reason(running, at: .day(31)) == .activeByStatus)
    let older = try notified(.didChangeRenewalStatus, .day(9), month, renewal, status: .active)
    let later = try seen(month.revoked(.day(10)))
    #expect(reason(older, later, at: .day(31)) == .refunded)
    let undated = try notified(.refund, .day(10), month, renewal, status: .active)
    #expect(reason(undated, at: .day(11)) == .revokedWithoutDate)
  }

  @Test func `a reported status counts fifteen minutes earlier, except 5`() throws {
    let refunded = try notified(
      .refund, .day(9), month.revoked(.day(9)), status: .revoked)
    func told(_ minutes: Int64, _ status: SubscriptionStatus) throws -> SubscriptionStatus? {
      let copy = Sample.month(signed: .day(9, 0, minutes))
      return chain(refunded, try reported(status, copy)).explanation(at: .day(10)).status?.status
    }
    #expect(try told(15, .active) == .revoked)
    #expect(try told(16, .active) == .active)
    let clean = try notified(.didRenew, .day(9), month, status: .active)
    let early = try reported(.revoked, Sample.month(signed: .day(9, 0, 1)))
    #expect(chain(clean, early).explanation(at: .day(10)).status?.status == .revoked)
  }

  @Test func `of the kit's statuses only 5 counts once Apple has told one`() throws {
    let apple = try notified(.didFailToRenew, .day(30), month, status: .billingRetry)
    let kit = try reported(.active, Sample.month(signed: .day(31)), by: .device)
    let revoked = try reported(.revoked, Sample.month(signed: .day(31)), by: .device)
    func status(_ facts: LedgerFact...) -> SubscriptionStatus? {
      chain(facts).explanation(at: .day(40)).status?.status
    }
    #expect(status(kit) == .active)
    #expect(status(apple, kit) == .billingRetry)
    #expect(status(apple, revoked) == .revoked)
  }

  @Test func `a status that we do not know is as good as absent, and Apple is asked`() throws {
    let known = chain(
      try notified(.subscribed, .day(0), month, status: .active),
      try notified(.didRenew, .day(1), month, status: .unknown(9)))
    #expect(known.answer(at: .day(2)).doubts == [.unknownStatus])
    #expect(known.explanation(at: .day(2)).status?.status == .active)
    let alone = chain(try notified(.didRenew, .day(1), month, status: .unknown(9)))
    #expect(alone.explanation(at: .day(2)).status == nil)
    #expect(alone.answer(at: .day(2)).products.map(\.reason) == [.activePeriod])
  }

  @Test func `statuses of one moment that differ make the chain doubtful`() throws {
    let facts = [
      try notified(.subscribed, .day(0), month, status: .active, uuid: "a"),
      try notified(.expired, .day(0), month, status: .expired, uuid: "b"),
      try notified(.revoke, .day(0), month, status: .revoked, uuid: "c"),
    ]
    for order in Orders.permutations(facts) {
      let known = chain(order)
      #expect(known.explanation(at: .day(1)).status?.status == .revoked)
      #expect(known.answer(at: .day(1)).doubts.contains(.equalClocks))
    }
  }

  @Test func `status 2 while a period grants is at odds, and decides nothing`() throws {
    let known = chain(try notified(.expired, .day(9), month, status: .expired))
    #expect(known.answer(at: .day(10)).products.map(\.reason) == [.activePeriod])
    #expect(known.answer(at: .day(10)).doubts == [.statusAtOdds])
  }

  @Test func `an older period lives on when Apple says so after the later one was refunded`() throws
  {
    let upgrade = Sample.month("2", from: .day(10)) { $0.productId = "premium" }
    let facts = [
      try seen(month), try seen(upgrade.revoked(.day(12))),
      try notified(.didRenew, .day(13), month, status: .active),
    ]
    #expect(chain(facts).answer(at: .day(14)).products.map(\.reason) == [.refunded, .replaced])
    let info = try seen(Sample.month(signed: .day(12, 0, 15)), by: .poll)
    #expect(
      chain(facts + [info]).answer(at: .day(14)).products.map(\.reason)
        == [.refunded, .activePeriod])
    let upgraded = try seen(
      Sample.month(signed: .day(13)) { $0.isUpgraded = true }, by: .poll)
    #expect(
      chain(facts + [upgraded]).answer(at: .day(14)).products.map(\.reason)
        == [.refunded, .replaced])
  }

  @Test func `the kit's clean copy after its own status 5 explains it`() throws {
    let told = try reported(.revoked, month.revoked(.day(5)), by: .device)
    let clean = try seen(Sample.month(signed: .day(6)))
    let known = chain(told, clean)
    #expect(
      known.answer(at: .day(7), perspective: .device).products.map(\.reason) == [.activePeriod])
    #expect(known.answer(at: .day(7)).products.map(\.reason) == [.refunded])
    let undated = chain(try reported(.revoked, month, by: .device), clean)
    #expect(
      undated.answer(at: .day(7), perspective: .device).products.map(\.reason)
        == [.activePeriod])
  }
}
