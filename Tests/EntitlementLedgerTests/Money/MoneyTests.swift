import AppStoreModel
import EntitlementLedger
import Testing

struct MoneyTests {
  private func usd(_ milliunits: Int64) -> Money {
    Money(milliunits: milliunits, currency: Currency(code: "USD"))
  }

  // price, share in milliunits of a percent, part
  @Test(
    arguments: [
      (9_990, 100_000, 9_990), (59_990, 41_500, 24_896), (4_990, 33_333, 1_663),
      (0, 50_000, 0), (1, 50_000, 0), (3, 50_000, 2), (5, 50_000, 2), (7, 50_000, 4),
      (-3, 50_000, -2), (1_000, 0, 0), (.max, 100_000, .max),
      (.max, 50_000, 4_611_686_018_427_387_904),
    ] as [(Int64, Int32, Int64)])
  func `a part is rounded once, half to even`(price: Int64, share: Int32, part: Int64) throws {
    let share = try #require(RevokedShare(percentMilliunits: share))
    #expect(usd(price).part(share) == usd(part))
  }

  private func refund(
    _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }, share: Int32? = nil,
    type: RevocationType? = nil
  ) throws -> [RefundEntry] {
    let paid = Sample.month("1", change)
    return chain(try notified(.refund, .day(5), paid.revoked(.day(5), type: type, share: share)))
      .refundEntries()
  }

  @Test func `a refund is the price times the share, in its own currency`() throws {
    #expect(try refund(share: 41_500, type: .refundProrated).map(\.netRefund) == [usd(4_146)])
    #expect(try refund().map(\.netRefund) == [usd(9_990)])
    let yen = try refund {
      $0.price = 1_500_000
      $0.currency = "JPY"
    }
    #expect(yen.first?.netRefund == Money(milliunits: 1_500_000, currency: Currency(code: "JPY")))
    #expect(try refund(share: 140_000).map(\.netRefund) == [usd(9_990)])
  }

  @Test func `a refund without a price is counted apart`() throws {
    let entries = try refund { $0.price = nil }
    #expect(entries.map(\.isUnpriced) == [true])
    #expect(entries.map(\.netRefund) == [nil])
    let noCurrency = try refund { $0.currency = nil }
    #expect(noCurrency.map(\.isUnpriced) == [true])
  }

  @Test func `a refund that was undone nets to zero, and a second one is one debit`() throws {
    let paid = Sample.month()
    let first = try notified(.refund, .day(5), paid.revoked(.day(5)))
    let undone = try notified(.refundReversed, .day(7), paid)
    let second = try notified(.refund, .day(9), paid.revoked(.day(9)))
    #expect(chain(first, undone).refundEntries().map(\.netRefund) == [usd(0)])
    #expect(chain(first, undone, second).refundEntries().map(\.netRefund) == [usd(0), usd(9_990)])
    #expect(chain(first, second).refundEntries().map(\.stands) == [false, true])
  }

  @Test func `postings are the difference to what was posted before`() throws {
    let paid = Sample.month()
    let facts = [
      try notified(.refund, .day(5), paid.revoked(.day(5))),
      try notified(.refundReversed, .day(7), paid),
      try notified(.refund, .day(9), paid.revoked(.day(9), share: 50_000)),
    ]
    var known = Chain(key: Sample.key)
    let amounts = facts.map { fact -> [Int64] in
      let before = known.refundEntries()
      _ = known.join(fact)
      return Posting.difference(from: before, to: known.refundEntries())
        .map(\.amount.milliunits)
    }
    #expect(amounts == [[9_990], [-9_990], [4_995]])
  }

  @Test func `a price that comes late or in another currency is posted anew`() throws {
    let unpriced = try refund { $0.price = nil }
    let priced = try refund()
    let yen = try refund { $0.currency = "JPY" }
    #expect(Posting.difference(from: unpriced, to: priced).map(\.amount) == [usd(9_990)])
    #expect(Posting.difference(from: priced, to: unpriced).map(\.amount) == [usd(-9_990)])
    #expect(Posting.difference(from: priced, to: yen).map(\.amount.milliunits) == [-9_990, 9_990])
    #expect(Posting.difference(from: priced, to: priced) == [])
    #expect(Posting.difference(from: priced, to: []).map(\.amount) == [usd(-9_990)])
  }

  @Test func `the family around a refund moves no money`() throws {
    let refunded = try refund(type: .refundFull)
    let members = try (2...5).map { index in
      let share = Sample.month("\(index)") {
        $0.originalTransactionId = "\(index)"
        $0.inAppOwnershipType = .familyShared
      }
      return chain(
        try notified(.revoke, .day(5), share.revoked(.day(5), type: .familyRevoke)))
    }
    #expect(refunded.count == 1)
    #expect(members.flatMap { $0.refundEntries() } == [])
    #expect(members.allSatisfy { $0.answer(at: .day(6)).products.first?.verdict == .denied })
  }

  private func items(
    _ amounts: [Int64?], currency: String? = "USD"
  ) -> (inout JWSTransactionDecodedPayload) -> Void {
    { payload in
      var item = AdvancedCommerceTransactionItem()
      item.refunds = amounts.enumerated().map { index, amount in
        var refund = AdvancedCommerceRefund()
        refund.refundAmount = amount
        refund.refundDate = .day(Int64(4 + index))
        return refund
      }
      var info = AdvancedCommerceTransactionInfo()
      info.items = [item]
      payload.advancedCommerceInfo = info
      payload.currency = currency
    }
  }

  @Test func `Advanced Commerce names its amounts`() throws {
    #expect(try refund(items([2_000, 500])).map(\.netRefund) == [usd(2_500)])
    #expect(try refund(items([])).map(\.isUnpriced) == [true])
    #expect(try refund(items([.max, 1])).map(\.netRefund) == [usd(.max)])
  }

  @Test func `an item's refund moves money and leaves access alone`() throws {
    let part = Sample.month("1", items([2_000, nil]))
    let known = chain(try notified(.refund, .day(5), part, status: .active))
    #expect(known.answer(at: .day(6)).products.map(\.reason) == [.activePeriod])
    #expect(known.refundEntries().map(\.netRefund) == [usd(2_000)])
    #expect(known.refundEntries().map(\.key.revocationDate) == [.day(4)])
    #expect(known.refundEntries().first?.revocationClass == nil)
    let shared = Sample.month("1") {
      items([2_000])(&$0)
      $0.inAppOwnershipType = .familyShared
    }
    #expect(chain(try seen(shared)).refundEntries() == [])
  }
}
