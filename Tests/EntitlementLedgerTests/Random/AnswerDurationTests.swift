import AppStoreSimulator
import AppStoreModel
import ChanceSupport
import EntitlementLedger
import Testing

@Suite struct AnswerDurationTests {
  /// Caches and deadlines rest on this: the named moment is neither late nor without a change.
  @Test(arguments: 0..<Seeds.lanes)
  func `an answer stays as it is until the moment it names, and changes then`(lane: Int) throws {
    for seed in Seeds.lane(lane) where seed.isMultiple(of: 40) || Seeds.count == 1 {
      let facts = Scatter(seed: seed).facts + RandomHistory(seed: seed).facts
      for chain in RealLedger(try facts.map { try $0.fact() }).chains.values {
        let edges = Self.edges(facts)
        for moment in Self.asked(edges, seed) {
          if let fault = Self.fault(in: chain, after: moment, edges) {
            Issue.record("seed \(seed), chain \(chain.key.originalTransactionId): \(fault)")
          }
        }
      }
    }
  }

  private static func answer(_ chain: Chain, _ moment: Timestamp) -> ChainAnswer {
    chain.answer(at: moment, catalog: LedgerComparison.catalog)
  }

  private static func fault(
    in chain: Chain, after moment: Timestamp, _ edges: [Timestamp]
  ) -> String? {
    let now = answer(chain, moment)
    let named = now.nextChange ?? .distantFuture
    let early = edges.first {
      $0 > moment && $0 < named && answer(chain, $0).products != now.products
    }
    if let early { return "at \(moment.short): changes at \(early.short), named \(named.short)" }
    let granted = now.products.filter { $0.verdict == .granted }.compactMap(\.until)
    if let until = granted.first(where: { $0 < named }) {
      return "at \(moment.short): until \(until.short) before \(named.short)"
    }
    guard let next = now.nextChange, answer(chain, next).products == now.products else {
      return nil
    }
    return "at \(moment.short): nothing changes at \(next.short)"
  }

  /// Every moment that a fact names, the one before it, and the end of the leeway after it.
  private static func edges(_ facts: [Statement]) -> [Timestamp] {
    let named = facts.flatMap { statement -> [Timestamp?] in
      switch statement {
      case .notice(let notice, _): dates(notice.copy) + dates(notice.renewal)
      case .transaction(let copy, _): dates(copy)
      case .renewal(let renewal, _): dates(renewal)
      case .report(let report): dates(report.copy) + dates(report.renewal)
      }
    }
    let moments = Set(named.compactMap { $0 })
    let before = moments.map { $0.subtracting(TimeSpan(milliseconds: 1)) }
    return moments.union(before).union(moments.map { $0.adding(.hours(1)) }).sorted()
  }

  private static func dates(_ copy: Copy?) -> [Timestamp?] {
    [
      copy?.purchased, copy?.expires, copy?.signed,
      copy.map { $0.purchased.adding(SimulatedApple.term) },
    ]
  }

  private static func dates(_ renewal: RenewalNote?) -> [Timestamp?] {
    [renewal?.graceUntil, renewal?.renewalDate]
  }

  private static func asked(_ edges: [Timestamp], _ seed: UInt64) -> [Timestamp] {
    var dice = Dice(seed: seed &* 0x1B87_3593)
    return Array(dice.shuffled(edges).prefix(3))
  }
}
