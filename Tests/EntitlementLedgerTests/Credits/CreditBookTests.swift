import AppStoreModel
import EntitlementLedger
import Testing

struct CreditBookTests {
  private static func grant(_ credits: Int64, day: Int64, _ id: String = "t") -> CreditGrant {
    CreditGrant(
      transactionId: id, productId: "coins", purchaseDate: Timestamp(millisecondsSince1970: day),
      unit: "coins", credits: credits)
  }

  private static func refund(_ percentMilliunits: Int32 = 100_000) -> CreditGrant.TakenBack? {
    RevokedShare(percentMilliunits: percentMilliunits).map { share in
      CreditGrant.TakenBack(
        key: RevocationKey(transactionId: "t", revocationDate: Timestamp(millisecondsSince1970: 9)),
        share: share, isRefund: true)
    }
  }

  /// A hundred credits that are spent, and fifty that are not.
  private static func halfSpent() -> CreditBook {
    var book = CreditBook()
    book.fill(1, with: grant(100, day: 1))
    _ = book.spend(100, as: "s", .debt)
    book.fill(2, with: grant(50, day: 2))
    return book
  }

  @Test(arguments: [
    (PolicyEntry.SpentCredits.debt, Int64(-50), Int64(0), Int64(50), false),
    (.freeze, 50, 50, 0, true), (.writeOff, 50, 50, 0, false),
  ])
  func `a refund of spent credits is owed, freezes, or is written off, and a reversal undoes it`(
    treatment: PolicyEntry.SpentCredits, balance: Int64, available: Int64, owed: Int64,
    isFrozen: Bool
  ) {
    let before = Self.halfSpent()
    var book = before
    book.update(1, Self.refund(), treatment)
    #expect(book.balance == balance)
    #expect(book.available == available)
    #expect(book.owed == owed)
    #expect(book.isFrozen == isFrozen)
    #expect(book.debts.map(\.credits) == [100])
    book.update(1, nil, treatment)
    #expect(book.lots == before.lots)
    #expect(book.debts == [])
    #expect(book.balance == 50)
  }

  @Test func `what comes in later pays the oldest debt first, and a reversal gives it back`() {
    var book = Self.halfSpent()
    book.update(1, Self.refund(), .debt)
    book.fill(3, with: Self.grant(80, day: 3))
    #expect(book.owed == 0)
    #expect(book.balance == 30)
    #expect(book.lot(2)?.paid == 50)
    #expect(book.lot(3)?.paid == 50)
    book.update(1, nil, .debt)
    #expect(book.lot(2)?.available == 50)
    #expect(book.lot(3)?.available == 80)
    #expect(book.balance == 130)
  }

  @Test(arguments: [
    (Int32(41_500), Int64(41)), (100_000, 100), (33_333, 33), (999, 0), (0, 0),
  ])
  func `a prorated refund takes the share back, rounded down`(share: Int32, taken: Int64) {
    var book = CreditBook()
    book.fill(1, with: Self.grant(100, day: 1))
    book.update(1, Self.refund(share), .debt)
    #expect(book.lot(1)?.taken == taken)
    #expect(book.balance == 100 - taken)
  }

  @Test func `spend draws the lots bought first, and keeps them when an earlier one arrives`() {
    var book = CreditBook()
    book.fill(2, with: Self.grant(10, day: 2))
    #expect(book.spend(6, as: "s", .debt).draws == [.init(lot: 2, credits: 6)])
    book.fill(1, with: Self.grant(10, day: 1))
    #expect(book.lot(2)?.spent == 6)
    #expect(
      book.spend(12, as: "u", .debt).draws == [
        .init(lot: 1, credits: 10), .init(lot: 2, credits: 2),
      ])
  }

  @Test func `spending beyond the balance is recorded in full, and owed`() {
    var book = CreditBook()
    book.fill(1, with: Self.grant(10, day: 1))
    let draws = book.hold(10) ?? []
    let settled = book.spend(15, held: draws, as: "s", .debt)
    #expect(settled.uncovered == 5)
    #expect(book.balance == -5)
    #expect(book.hold(1) == nil)
    book.fill(2, with: Self.grant(7, day: 2))
    #expect(book.balance == 2)
  }

  @Test func `what a refunded lot had paid does not come free when that debt is undone`() {
    var book = Self.halfSpent()
    book.update(1, Self.refund(), .debt)
    #expect(book.lot(2)?.paid == 50)
    book.update(2, Self.refund(), .debt)
    #expect(book.lot(2)?.taken == 50)
    book.fill(3, with: Self.grant(100, day: 3))
    #expect(book.balance == 0)
    book.update(1, nil, .debt)
    #expect(book.lot(2)?.available == 0)
    #expect(book.hold(100) == [.init(lot: 3, credits: 100)])
  }

  @Test func `a frozen balance gives nothing until the freeze is forgiven`() {
    var book = Self.halfSpent()
    book.update(1, Self.refund(), .freeze)
    #expect(book.hold(1) == nil)
    #expect(book.debts.first.map { $0.cause } != nil)
    if let cause = book.debts.first?.cause { book.forgive(cause) }
    #expect(book.hold(50)?.count == 1)
  }

  @Test func `a lot leaves with what was spent of it, and its payments go back`() {
    var book = Self.halfSpent()
    book.update(1, Self.refund(), .debt)
    let lot = book.giveUp(2)
    #expect(lot.available == 50)
    #expect(book.owed == 100)
    var other = CreditBook()
    other.adopt(lot)
    #expect(other.balance == 50)
    #expect(book.balance == -100)
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `no credit is made or lost, in any order of spend, refund and reversal`(seed: UInt64) {
    var life = BalanceLife(seed: seed)
    var steps: [String] = []
    for _ in 0..<60 {
      steps.append(life.step())
      let findings = life.findings
      if !findings.isEmpty || steps.last?.contains("naive") == true {
        Issue.record("seed \(seed): \(findings) after \(steps.suffix(6))")
        return
      }
    }
  }
}
