import Testing

@testable import LedgerReports

struct ExactTailTests {
  /// The same chance as a fraction of whole numbers, by going through every way to share the events.
  private static func fraction(
    _ strata: [ExactTail.Stratum], atLeast count: Int
  ) -> (part: UInt128, whole: UInt128) {
    var ways: [UInt128] = [1]
    var whole: UInt128 = 1
    for stratum in strata {
      for _ in 0..<stratum.events {
        var next = [UInt128](repeating: 0, count: ways.count + 1)
        for (place, number) in ways.enumerated() {
          next[place] += number * UInt128(stratum.outside)
          next[place + 1] += number * UInt128(stratum.inside)
        }
        ways = next
        whole *= UInt128(stratum.inside + stratum.outside)
      }
    }
    return (ways.dropFirst(count).reduce(0, +), whole)
  }

  private static let rows: [[(events: Int64, inside: Int64, outside: Int64)]] = [
    [(20, 1, 7)], [(9, 2, 56), (4, 1, 1)], [(3, 5, 0), (6, 1, 30)], [(5, 0, 9), (5, 3, 4)],
    [(1, 1, 1_000_000), (1, 1, 3), (8, 1, 15)],
  ]

  @Test(arguments: rows.indices)
  func `the tail is that of whole numbers, and never too small`(row: Int) {
    let strata = Self.rows[row].map {
      ExactTail.Stratum(events: $0.events, inside: $0.inside, outside: $0.outside)
    }
    var tail = ExactTail()
    for stratum in strata { tail.add(stratum) }
    let events = strata.reduce(0) { $0 + Int($1.events) }
    for count in 0...(events + 1) {
      let (part, whole) = Self.fraction(strata, atLeast: count)
      let exact = Double(part) / Double(whole)
      let found = tail.atLeast(count)
      #expect(found >= exact * (1 - 1e-15))
      #expect(found <= exact * (1 + 2e-9))
    }
  }

  /// Expected: the sum of fractions `comb(n, i) * p**i * (1 - p)**(n - i)`, as Python has them.
  @Test(
    arguments: [
      (9, 60, 1, 29, 1.6099e-04), (12, 400, 2, 56, 7.2644e-01), (30, 200, 1, 56, 4.7208e-19),
    ] as [(Int, Int64, Int64, Int64, Double)])
  func `the tail of one kind is the binomial's`(
    count: Int, events: Int64, inside: Int64, outside: Int64, expected: Double
  ) {
    var tail = ExactTail()
    tail.add(ExactTail.Stratum(events: events, inside: inside, outside: outside))
    #expect(abs(tail.atLeast(count) / expected - 1) < 0.0001)
  }
}

struct FalseDiscoveryTests {
  @Test func `the last chance under its own line decides for all before it`() {
    // With 4 hypotheses the harmonic sum is 25/12, so the lines are at 0.012, 0.024, 0.036, 0.048.
    let control = FalseDiscovery(level: 0.1, hypotheses: 4)
    func isAlarm(_ chances: [Double], _ chance: Double) -> Bool {
      control.threshold(chances).map { chance <= $0 } ?? false
    }
    let chances = [0.9, 0.035, 0.001, 0.02]
    #expect(isAlarm(chances, 0.035))
    #expect(!isAlarm(chances, 0.9))
    #expect(!isAlarm([0.013, 0.9, 0.8, 0.7], 0.013))
    #expect(control.threshold([]) == nil)
  }

  @Test func `the more is looked at, the less is an alarm`() {
    #expect(FalseDiscovery(level: 0.1, hypotheses: 1).threshold([0.09]) != nil)
    #expect(FalseDiscovery(level: 0.1, hypotheses: 100).threshold([0.09]) == nil)
  }
}
