import AppStoreModel
import EntitlementLedger
import Foundation
import Testing

/// Seeded lives.
///
/// `CLAWBACK_HISTORIES` says how many (10,000 if absent) and `CLAWBACK_SEED` the
/// first seed, so that `CLAWBACK_SEED=n CLAWBACK_HISTORIES=1` replays one.
enum Seeds {
  static let lanes = 4
  static let first = number("CLAWBACK_SEED") ?? 1
  static let count = number("CLAWBACK_HISTORIES") ?? 10_000

  static func lane(_ lane: Int) -> StrideTo<UInt64> {
    stride(from: first + UInt64(lane), to: first + count, by: lanes)
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}

@Suite struct SimulatedTruthTests {
  @Test(arguments: 0..<Seeds.lanes)
  func `after a last reading of Apple every answer is true`(lane: Int) throws {
    for seed in Seeds.lane(lane) {
      let history = RandomHistory(seed: seed)
      let ledger = RealLedger(try history.facts.map { try $0.fact() })
      for original in history.knownOriginals {
        let answer = ledger.chains[original]?.answer(
          at: history.now, catalog: LedgerComparison.catalog)
        let reasons = answer?.products.map(\.reason) ?? []
        let truth = history.life.apple.isEntitled(original, at: history.now)
        guard reasons.contains(where: { $0.verdict == .granted }) != truth else { continue }
        Issue.record(
          """
          seed \(seed), chain \(original), at \(history.now.short): \
          \(reasons.map(\.rawValue)), in truth \(truth ? "entitled" : "not entitled")
          \(history.facts.readable)
          """)
      }
    }
  }

  /// Retries signed after a reading can say what only the next reading settles.
  ///
  /// The rule is to be
  /// wrong then once in hundreds of lives; a plain one is wrong many times as often.
  @Test func `late retries deceive a plain rule often and ours hardly ever`() {
    var ours = 0
    var plain = 0
    var chains = 0
    for seed in UInt64(1)...3_000 {
      let history = RandomHistory(seed: seed)
      for original in history.knownOriginals {
        let ledger = NaiveLedger(history.told, chain: original)
        guard ledger.copies.first?.copy.kind == .subscription else { continue }
        let truth = history.life.apple.isEntitled(original, at: history.toldAt)
        chains += 1
        ours += ledger.decision(at: history.toldAt).isGranted == truth ? 0 : 1
        plain += PlainRule(ledger: ledger).isGranted(at: history.toldAt) == truth ? 0 : 1
      }
    }
    #expect(plain * 50 > chains, "\(plain) of \(chains)")
    #expect(ours * 500 < chains, "\(ours) of \(chains)")
  }
}
