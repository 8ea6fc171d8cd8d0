import AppStoreModel
import ChanceSupport
import EntitlementLedger
import Testing

@Suite struct LedgerAgreementTests {
  @Test(arguments: 0..<Seeds.lanes)
  func `the ledger agrees with the naive one about every life in every order`(lane: Int) throws {
    for seed in Seeds.lane(lane) {
      let history = RandomHistory(seed: seed)
      try check(history.facts, at: history.moments, seed: seed, orders: history.orders)
    }
  }

  @Test(arguments: 0..<Seeds.lanes)
  func `the ledger agrees with the naive one about facts thrown together`(lane: Int) throws {
    for seed in Seeds.lane(lane) where seed.isMultiple(of: 2) || Seeds.count == 1 {
      var dice = Dice(seed: seed)
      let moments = Array(dice.shuffled(Scatter.moments).prefix(2))
      try check(Scatter(seed: seed).facts, at: moments, seed: seed) { facts in
        [facts, dice.shuffled(facts + facts)]
      }
    }
  }

  @Test(arguments: 0..<Seeds.lanes)
  func `the ledger agrees with the naive one about long subscriptions`(lane: Int) throws {
    for seed in Seeds.lane(lane) where seed.isMultiple(of: 500) || Seeds.count == 1 {
      let history = LongChain(seed: seed, periods: 36)
      try check(history.facts, at: history.moments, seed: seed) { [$0, $0.reversed()] }
    }
  }

  private func check(
    _ statements: [Statement], at moments: [Timestamp], seed: UInt64,
    orders: ([LedgerFact]) -> [[LedgerFact]]
  ) throws {
    let ledgers = orders(try statements.map { try $0.fact() }).map(RealLedger.init)
    guard let ledger = ledgers.first else { return }
    #expect(ledgers.allSatisfy { $0.chains == ledger.chains }, "seed \(seed): order matters")
    let digests = Set(ledgers.map(\.digest))
    #expect(digests.count == 1, "seed \(seed): the digest depends on the order")
    for (original, _) in ledger.chains {
      let differences: ([Statement]) -> [String] = { statements in
        self.differences(statements, original, moments, andAfter: seed.isMultiple(of: 8))
      }
      guard !differences(statements).isEmpty else { continue }
      let fewest = shrunk(statements) { !differences($0).isEmpty }
      let words = differences(fewest).joined(separator: "\n  ")
      Issue.record("seed \(seed), chain \(original):\n  \(words)\n\(fewest.readable)")
    }
  }

  /// A question about an earlier moment uses only what was signed by then.
  private func differences(
    _ statements: [Statement], _ original: String, _ moments: [Timestamp], andAfter: Bool
  ) -> [String] {
    moments.flatMap { moment in
      let known = statements.filter { $0.lastSigned <= moment }
      guard let chain = RealLedger(known.compactMap { try? $0.fact() }).chains[original] else {
        return [String]()
      }
      let naive = NaiveLedger(known, chain: original)
      return LedgerComparison(naive: naive, real: chain).differences(at: moment, andAfter: andAfter)
    }
  }
}
