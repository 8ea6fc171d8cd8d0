import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

/// The ledger's answers, kept in a store, beside what the simulated App Store knows to be true.
///
/// `CLAWBACK_LIVES` says how many lives (2,000 if absent) and `CLAWBACK_SEED` the first seed, so that
/// `CLAWBACK_SEED=n CLAWBACK_LIVES=1` plays one again.
struct SimulatorTruthTests {
  private static let first = number("CLAWBACK_SEED") ?? 1
  private static let count = number("CLAWBACK_LIVES") ?? 2_000
  private static let lanes: UInt64 = 4

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test(arguments: 0..<lanes)
  func `after a random life and one reading of Apple, the ledger knows the truth`(
    lane: UInt64
  ) throws {
    var ledger = try LedgerTrial(seed: 1)
    var lives = 0
    for seed in stride(from: Self.first + lane, to: Self.first + Self.count, by: Int(Self.lanes)) {
      let trial = try TruthTrial(seed: seed, scope: ledger.scope)
      try ledger.record(trial.facts(trial.channels.told).map(\.delivery))
      let lines = try trial.disagreements(
        ledger, told: trial.channels.told, at: trial.moments)
      if !lines.isEmpty { try report(trial, lines) }
      lives += 1
      // A store that holds few lives answers faster, and no life depends on another.
      if lives % 100 == 0 { ledger = try LedgerTrial(seed: 1) }
    }
  }

  @Test(arguments: 0..<lanes)
  func `with nothing lost, the ledger knows what was so at any moment of the past`(
    lane: UInt64
  ) throws {
    let ledger = try LedgerTrial(seed: 1)
    let maker = FactMaker(scope: ledger.scope)
    for seed in stride(from: 900_000 + lane, to: 900_000 + Self.count / 10, by: Int(Self.lanes)) {
      let life = try RandomLife(seed: seed)
      let told = try life.store.notifications.compactMap {
        try maker.notification($0, .notification, at: life.now)
      }
      try ledger.record(told.reversed().map(\.delivery))
      for snapshot in life.snapshots {
        let moment = snapshot.since.adding(.minutes(1))
        let state = try ledger.state(of: life.payer, asOf: moment)
        for product in life.store.catalog where product.type != .nonRenewingSubscription {
          let decision = state.decision(on: product.id)
          let isGranted = decision.verdict == .granted && !decision.isProvisional
          #expect(
            isGranted == snapshot.store.grants(product.id, to: life.payer, at: moment),
            "seed \(seed), \(product.shortName) at \(FactMaker.day(moment))")
        }
      }
    }
  }

  /// Prints the shortest history that is still told wrongly.
  private func report(_ trial: TruthTrial, _ lines: [String]) throws {
    var told = trial.channels.told
    var place = 0
    while place < told.count {
      var fewer = told
      fewer.remove(at: place)
      if try isWrong(trial, fewer) { told = fewer } else { place += 1 }
    }
    let facts = told + trial.channels.reading
    Issue.record(
      """
      seed \(trial.life.seed):
      \(lines.joined(separator: "\n"))
      \(facts.map(\.line).joined(separator: "\n"))
      """)
  }

  private func isWrong(_ trial: TruthTrial, _ told: [ToldFact]) throws -> Bool {
    let ledger = try LedgerTrial(seed: 1)
    try ledger.record(trial.facts(told).map(\.delivery))
    return try !trial.disagreements(ledger, told: told, at: trial.moments).isEmpty
  }

  /// Stories whose every fact is meant as the store means it.
  static let honest = Scenario.all.map(\.name).filter {
    !["28", "31", "32", "34"].contains($0.prefix(2))
  }

  @Test(arguments: honest)
  func `after a whole scenario the ledger knows the truth`(name: String) throws {
    let now = ScenarioOutcomeTests.asked
    let store = try #require(Scenario.named(name)).played(
      seed: 7, endingAt: ScenarioOutcomeTests.end)
    let ledger = try LedgerTrial(seed: 7, app: store.app)
    let signer = NotificationSigner(JWSSigner(ledger.authority))
    try ledger.take(store.notifications.map(signer.sign), at: now)
    let truth = store.truth(at: now)
    for access in truth.access {
      for (product, isGranted) in access.products where !product.hasSuffix("season") {
        let told = try ledger.decision(product, of: access.customer, at: now)
        #expect((told.verdict == .granted) == isGranted, "\(access.customer.name) \(product)")
      }
    }
    #expect(try ledger.refunded() == truth.refunded.mapValues(\.milliunits))
  }
}
