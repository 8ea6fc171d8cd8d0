import AppStoreModel
import EntitlementLedger
import Foundation
import LedgerReports
import Testing

@Suite struct MoneyReportAgreementTests {
  private static let periods: [(ReportPeriod, Calendar.Component)] = [
    (.day, .day), (.week, .weekOfYear), (.month, .month),
  ]

  @Test(arguments: 0..<Seeds.lanes)
  func `the books of every life are the naive ledger's, in every order`(lane: Int) throws {
    for seed in Seeds.lane(lane) where seed.isMultiple(of: 10) || Seeds.count == 1 {
      let history = RandomHistory(seed: seed)
      try check(history.facts.map(\.priced), seed: seed, orders: history.orders)
    }
  }

  @Test(arguments: 0..<Seeds.lanes)
  func `the books of facts thrown together are the naive ledger's`(lane: Int) throws {
    for seed in Seeds.lane(lane) where seed.isMultiple(of: 20) || Seeds.count == 1 {
      let facts = Scatter(seed: seed).facts.map(\.priced)
      try check(facts, seed: seed) { [$0, $0.reversed()] }
    }
  }

  private func check(
    _ statements: [Statement], seed: UInt64, orders: ([LedgerFact]) -> [[LedgerFact]]
  ) throws {
    let originals = Set(statements.compactMap { $0.copy?.original })
    let naive = originals.map { NaiveLedger(statements, chain: $0) }
    for facts in orders(try statements.map { try $0.fact() }) {
      let movements = RealLedger(facts).chains.values.flatMap { $0.moneyMovements() }
      for (period, component) in Self.periods {
        var books: [String: NaiveBooks] = [:]
        for ledger in naive {
          books.merge(ledger.books(by: component)) { $0.merging($1) }
        }
        let ours = Self.books(MoneyReport(by: period, movements))
        #expect(ours == books, "seed \(seed), by \(period)")
      }
    }
  }

  private static func books(_ report: MoneyReport) -> [String: NaiveBooks] {
    var books: [String: NaiveBooks] = [:]
    for line in report.lines {
      var sums = NaiveBooks()
      for kind in MoneyMovement.Kind.allCases where line[kind].count > 0 {
        let sum = line[kind]
        sums.counts[kind.rawValue] = Int(sum.count)
        if sum.count > sum.unpriced { sums.sums[kind.rawValue] = sum.milliunits }
      }
      #expect(sums.net == line.netMilliunits)
      let day = line.key.periodStart.rfc3339.prefix(10).split(separator: "-")
        .map { String(Int($0) ?? 0) }.joined(separator: "-")
      books["\(day) \(line.key.productId) \(line.key.currency)"] = sums
    }
    return books
  }
}

extension NaiveBooks {
  fileprivate func merging(_ other: NaiveBooks) -> NaiveBooks {
    NaiveBooks(
      counts: counts.merging(other.counts, uniquingKeysWith: +),
      sums: sums.merging(other.sums, uniquingKeysWith: +))
  }
}

extension Statement {
  /// With prices, currencies and refunds of items that differ from purchase to purchase.
  fileprivate var priced: Statement {
    switch self {
    case .notice(var notice, let channel):
      notice.copy = notice.copy?.priced
      return .notice(notice, channel)
    case .transaction(let copy, let channel): return .transaction(copy.priced, channel)
    case .report(var report):
      report.copy = report.copy.priced
      return .report(report)
    case .renewal: return self
    }
  }
}

extension Copy {
  fileprivate var priced: Copy {
    let number = id.utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) % 1_000_003 }
    return with { copy in
      copy.currency = ["USD", "JPY", "KWD"][Int(number % 3)]
      copy.price = number % 7 == 0 ? nil : Int64(number % 99_991)
      if number % 5 == 0, copy.price != nil { copy.advancedCommerceRefund = Int64(number % 1_000) }
    }
  }
}
