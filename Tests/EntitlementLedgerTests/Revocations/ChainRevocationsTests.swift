import AppStoreModel
import EntitlementLedger
import Testing

struct ChainRevocationsTests {
  private let bought = Sample.once(.nonConsumable)

  private func refund(_ day: Int64, signed: Timestamp? = nil) throws -> LedgerFact {
    try notified(.refund, signed ?? .day(day), bought.revoked(.day(day), signed: signed))
  }

  private func reversal(_ day: Int64, _ hours: Int64 = 0) throws -> LedgerFact {
    try notified(.refundReversed, .day(day, hours), bought)
  }

  private func info(
    _ day: Int64, _ minutes: Int64 = 0, revoked: Timestamp? = nil
  ) throws -> LedgerFact {
    let date = Timestamp.day(day, 0, minutes)
    let clean = Sample.once(.nonConsumable, signed: date)
    return try seen(revoked.map { bought.revoked($0, signed: date) } ?? clean, by: .poll)
  }

  @Test func `a reversal not before the revocation undoes it at its own date`() throws {
    let answer = chain(try refund(10), try reversal(12)).revocationAnswers().first
    #expect(answer?.reversedAt == .day(12))
    #expect(chain(try refund(10), try reversal(9)).revocationAnswers().first?.stands == true)
  }

  @Test func `what Apple's API still shows after its lag stands`() throws {
    let late = chain(try refund(10), try reversal(12), try info(12, 15, revoked: .day(10)))
    #expect(late.revocationAnswers().first?.stands == true)
    let lagging = chain(try refund(10), try reversal(12), try info(12, 14, revoked: .day(10)))
    #expect(lagging.revocationAnswers().first?.reversedAt == .day(12))
    let second = chain(
      try refund(10), try reversal(12), try info(13, revoked: .day(10)), try reversal(14))
    #expect(second.revocationAnswers().first?.reversedAt == .day(14))
  }

  @Test func `a clean copy of Apple's API undoes it once the lag is over`() throws {
    #expect(chain(try refund(10), try info(10, 14)).revocationAnswers().first?.stands == true)
    let answer = chain(try refund(10), try info(10, 15)).revocationAnswers().first
    #expect(answer?.reversedAt == .day(10, 0, 15))
    let both = chain(try refund(10), try reversal(11), try info(12)).revocationAnswers().first
    #expect(both?.reversedAt == .day(11))
  }

  @Test func `a later revocation proves that the earlier was undone`() throws {
    let answers = chain(try refund(10), try refund(20)).revocationAnswers()
    #expect(answers.map(\.reversedAt) == [.day(20), nil])
    let known = chain(try refund(10), try reversal(11), try refund(20)).revocationAnswers()
    #expect(known.map(\.reversedAt) == [.day(11), nil])
  }

  @Test func `a device never reopens, and its clean copy makes the chain doubtful`() throws {
    let clean = try seen(Sample.once(.nonConsumable, signed: .day(15)))
    let known = chain(try refund(10), clean)
    let answer = known.answer(at: .day(16))
    #expect(answer.products.map(\.reason) == [.refunded])
    #expect(answer.doubts == [.cleanCopy])
  }

  @Test func `the kit on its own device reopens at once`() throws {
    let revoked = try seen(bought.revoked(.day(10)))
    let clean = try seen(Sample.once(.nonConsumable, signed: .day(10, 0, 1)))
    let known = chain(revoked, clean)
    let answer = known.answer(at: .day(11), perspective: .device)
    #expect(answer.products.map(\.reason) == [.owned])
    #expect(answer.doubts == [])
    #expect(
      chain(revoked).answer(at: .day(11), perspective: .device).products.first?.reason == .refunded)
  }

  @Test func `a move to a bundle grants until another purchase names it`() throws {
    let moved = try seen(bought.revoked(.day(5), reason: .upgradedToBundle))
    let next = try seen(
      Sample.month("2", from: .day(8)) {
        $0.originalTransactionId = "2"
        $0.previousOriginalTransactionId = "1"
      })
    #expect(chain(moved).answer(at: .day(100)).products.map(\.reason) == [.owned])
    let known = chain(moved, next)
    #expect(known.answer(at: .day(7)).nextChange == .day(8))
    #expect(known.answer(at: .day(8)).products.map(\.reason) == [.movedToBundle])
  }

  @Test func `a REFUND without a date denies without money until something lifts it`() throws {
    let undated = try notified(.refund, .day(10), bought)
    let answer = chain(undated).answer(at: .day(11))
    #expect(answer.products.map(\.reason) == [.revokedWithoutDate])
    #expect(answer.doubts == [.revocationWithoutDate])
    #expect(chain(undated).refundEntries() == [])

    func reason(_ facts: LedgerFact...) -> DecisionReason? {
      chain([undated] + facts).answer(at: .day(40)).products.first?.reason
    }
    #expect(reason(try reversal(10)) == .owned)
    #expect(reason(try reversal(9)) == .revokedWithoutDate)
    #expect(reason(try info(10, 15)) == .owned)
    #expect(reason(try info(10, 14)) == .revokedWithoutDate)
    #expect(reason(try refund(9)) == .refunded)
    #expect(reason(try refund(11)) == .refunded)
    #expect(reason(try seen(Sample.once(.nonConsumable, signed: .day(30)))) == .revokedWithoutDate)
  }

  @Test func `a date that was undone before a REFUND without one does not lift it`() throws {
    let known = chain(try refund(5), try reversal(7), try notified(.refund, .day(10), bought))
    #expect(known.answer(at: .day(11)).products.map(\.reason) == [.revokedWithoutDate])
  }

  // Minutes from the reversal's date to the API copy that shows the refund; whether Apple is asked.
  @Test(
    arguments: [(-60, false), (-15, false), (-14, true), (0, true), (14, true)] as [(Int64, Bool)])
  func `a reversal told within the lag of a reading that denies it is asked about again`(
    minutes: Int64, isAsked: Bool
  ) throws {
    let paid = Sample.month()
    let shown = Timestamp.day(12).adding(.minutes(minutes))
    let facts = [
      try notified(.refund, .day(10), paid.revoked(.day(10))),
      try seen(paid.revoked(.day(10), signed: shown), by: .poll),
      try notified(.refundReversed, .day(12), Sample.month(signed: .day(12))),
    ]
    let answer = chain(facts).answer(at: .day(13))
    #expect(answer.products.map(\.reason) == [.activePeriod])
    #expect(answer.doubts.contains(.reversalUnsettled) == isAsked)
    let clean = chain(facts + [try seen(Sample.month(signed: .day(12, 0, 15)), by: .poll)])
    #expect(clean.answer(at: .day(13)).doubts == [])
    #expect(clean.answer(at: .day(13)).products.map(\.reason) == [.activePeriod])
    let denied = chain(
      facts + [try seen(paid.revoked(.day(10), signed: .day(12, 0, 15)), by: .poll)])
    #expect(denied.answer(at: .day(13)).products.map(\.reason) == [.refunded])
    #expect(!denied.answer(at: .day(13)).doubts.contains(.reversalUnsettled))
  }
}
