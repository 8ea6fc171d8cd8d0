import AppStoreModel
import EntitlementLedger
import Testing

struct FactExplanationTests {
  private func meaning(_ fact: LedgerFact) -> FactExplanation.Meaning? {
    fact.explanation()?.meaning
  }

  @Test func `a refund of an earlier renewal says until when the subscription stays active`() throws
  {
    let renewal = Sample.renewal(signed: .day(40)) { $0.renewalDate = .day(60) }
    let fact = try notified(
      .refund, .day(40), Sample.month().revoked(.day(40)), renewal, status: .active)
    let explanation = try #require(fact.explanation())
    #expect(explanation.meaning == .refundOfEarlierPeriod)
    #expect(explanation.activeUntil == .day(60))
    #expect(explanation.refund?.netRefund?.milliunits == 9_990)
    #expect(explanation.status == .active)
  }

  @Test func `each kind of fact has its meaning`() throws {
    let month = Sample.month()
    let once = Sample.once(.nonConsumable)
    let family = Sample.month { $0.inAppOwnershipType = .familyShared }
    let seat = Sample.month { $0.inAppOwnershipType = .assigned }
    let moved = month.revoked(.day(5), reason: .upgradedToBundle)
    let odd = month.revoked(.day(5), reason: .unknown(9))
    let rows: [(LedgerFact, FactExplanation.Meaning)] = [
      (try notified(.refund, .day(5), month.revoked(.day(5)), status: .revoked), .refund),
      (try notified(.refund, .day(5), once.revoked(.day(5))), .refund),
      (try notified(.refund, .day(5), once), .refundWithoutDate),
      (try notified(.refundReversed, .day(5), once), .refundReversal),
      (try notified(.revoke, .day(5), family.revoked(.day(5))), .familyRevocation),
      (try notified(.revoke, .day(5), seat.revoked(.day(5))), .assignmentRevocation),
      (try notified(.revoke, .day(5), family), .revocation),
      (try seen(odd), .revocation), (try seen(moved), .bundleMove),
      (try seen(month), .access), (try seen(Sample.month(signed: .day(31))), .noAccess),
      (try seen(Sample.once(.consumable)), .consumable),
      (try reported(.active, month), .access), (try seen(Sample.renewal()), .noAccess),
    ]
    for (fact, wanted) in rows { #expect(meaning(fact) == wanted) }
  }

  @Test func `an item's refund is told from one that shows no date`() throws {
    let item = Sample.month { payload in
      var refund = AdvancedCommerceRefund()
      refund.refundAmount = 500
      var item = AdvancedCommerceTransactionItem()
      item.refunds = [refund]
      var info = AdvancedCommerceTransactionInfo()
      info.items = [item]
      payload.advancedCommerceInfo = info
    }
    let explanation = try notified(.refund, .day(5), item, status: .active).explanation()
    #expect(explanation?.meaning == .refundOfItem)
    #expect(explanation?.refund?.netRefund?.milliunits == 500)
    #expect(explanation?.refund?.key.revocationDate == .day(0))
  }

  @Test func `a chain's explanation shows each purchase with its bounds and revocations`() throws {
    let premium = Sample.month("2", from: .day(10)) { $0.productId = "premium" }
    let known = chain(
      try notified(.subscribed, .day(0), Sample.month(), status: .active),
      try seen(premium.revoked(.day(12))))
    let explanation = known.explanation(at: .day(13))
    #expect(explanation.purchases.map(\.transactionId) == ["1", "2"])
    #expect(explanation.purchases.map(\.period) == [.day(0)..<(.day(10)), .day(10)..<(.day(40))])
    #expect(explanation.purchases.map(\.reason) == [.replaced, .refunded])
    #expect(explanation.purchases.map(\.revocations.count) == [0, 1])
    #expect(explanation.statusEffect == .none)
    #expect(explanation.answer == known.answer(at: .day(13)))
    let lot = chain(try seen(Sample.once(.consumable))).explanation(at: .day(1)).purchases
    #expect(lot.map(\.reason) == [nil])
    #expect(lot.map(\.period) == [nil])
  }
}
