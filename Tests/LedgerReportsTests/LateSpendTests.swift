import AppStoreModel
import LedgerReports
import Testing

struct LateSpendTests {
  private static func at(_ hour: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_700_000_000_000).adding(.hours(hour))
  }

  private static func amount(_ microunits: Int64, _ currency: String = "USD") -> SpentAmount {
    SpentAmount(microunits: microunits, currency: Currency(code: currency))
  }

  private static func text(_ amounts: SpentAmounts) -> String {
    amounts.amounts.map { "\($0.microunits) \($0.currency.code)" }.joined(separator: ", ")
  }

  @Test(
    arguments: [
      // first seen, reversed, before, unseen, ignored, after the reversal
      (nil, nil, "1 USD", "30 JPY, 116 USD", "", ""),
      (10, nil, "1 USD", "2 USD", "30 JPY, 114 USD", ""),
      (16, nil, "1 USD", "30 JPY, 6 USD", "110 USD", ""),
      (16, 18, "1 USD", "30 JPY, 6 USD", "10 USD", "100 USD"),
      (16, 14, "1 USD", "2 USD", "", "30 JPY, 114 USD"),
      (19, 15, "1 USD", "30 JPY, 2 USD", "", "114 USD"),
    ] as [(Int64?, Int64?, String, String, String, String)])
  func `spend is divided by Apple's date, our first sighting and the reversal`(
    seen: Int64?, reversed: Int64?, before: String, unseen: String, ignored: String,
    after: String
  ) {
    let spends: [(Int64, SpentAmount)] = [
      (4, Self.amount(1)), (5, Self.amount(2)), (14, Self.amount(30, "JPY")),
      (15, Self.amount(4)), (16, Self.amount(10)), (18, Self.amount(100)),
    ]
    let late = LateSpend(
      spends: spends.map { Spend(amount: $0.1, at: Self.at($0.0)) }, holds: [],
      refundedAt: Self.at(5), firstSeenAt: seen.map(Self.at), reversedAt: reversed.map(Self.at))
    #expect(Self.text(late.before) == before)
    #expect(Self.text(late.unseen) == unseen)
    #expect(Self.text(late.ignored) == ignored)
    #expect(Self.text(late.afterReversal) == after)
    let all = spends.reduce(into: SpentAmounts()) { $0.add($1.1) }
    for currency in ["USD", "JPY"].map(Currency.init(code:)) {
      let parts = [late.before, late.unseen, late.ignored, late.afterReversal]
      #expect(parts.reduce(0) { $0 + $1[currency] } == all[currency])
    }
  }

  @Test func `a hold was stopped in time if the first sighting found it open`() {
    let holds = [(0, 4), (2, 9), (5, 9), (6, 7)].map { (decided, lapses) in
      StoppedHold(amount: Self.amount(10), decidedAt: Self.at(decided), endedAt: Self.at(lapses))
    }
    let late = LateSpend(
      spends: [], holds: holds, refundedAt: Self.at(1), firstSeenAt: Self.at(5), reversedAt: nil)
    #expect(late.stoppedHolds == 2)
    #expect(Self.text(late.stopped) == "20 USD")
    #expect(!late.isLate)
  }

  @Test(arguments: [[], [-1], [0], [1, 7], [4, 4, 100], [5, -3, 11]] as [[Int64]])
  func `equal amounts at equal distances are divided as if each stood alone`(cuts: [Int64]) {
    let whole = Spend(amount: Self.amount(70), at: Self.at(0))
    let moments = cuts.map { Self.at($0) }
    let parts = whole.divided(into: 7, each: .hours(2), at: moments)
    let alone = (0..<7).map { Spend(amount: Self.amount(10), at: Self.at($0 * 2)) }
    #expect(parts.count <= cuts.count + 1)
    #expect(parts.map(\.amount.microunits).reduce(0, +) == 70)
    for moment in moments {
      let before = { (spends: [Spend]) in
        spends.filter { $0.at < moment }.map(\.amount.microunits).reduce(0, +)
      }
      #expect(before(parts) == before(alone))
    }
    #expect(whole.divided(into: 1, each: .hours(2), at: moments) == [whole])
  }
}
