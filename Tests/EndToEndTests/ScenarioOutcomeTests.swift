import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import Testing

/// Every scenario through verification and storage, held to the table of the contracts.
struct ScenarioOutcomeTests {
  /// A row of `docs/contracts/scenario-outcomes.md`.
  struct Outcome: Hashable {
    let scenario: String
    let customer: String
    let product: String
    let decision: String
    let reason: String
    let money: String

    var isUndecided: Bool { decision == "undecided" }
  }

  static let rows: [Outcome] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/contracts/scenario-outcomes.md").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Outcome(
        scenario: cells[0], customer: cells[1], product: cells[2], decision: cells[3],
        reason: cells[4], money: cells[5])
    }
  }()

  static let end = Timestamp(millisecondsSince1970: 1_790_000_000_000)
  static let asked = end.adding(.minutes(1))

  @Test func `the table speaks of every scenario`() {
    let named = Self.rows.map(\.scenario)
    #expect(Set(named) == Set(Scenario.all.map(\.name)))
    #expect(Set(named.map { $0.prefix(2) }).count == 35)
  }

  @Test(arguments: Scenario.all.map(\.name))
  func `a scenario ends as the table says, in any order and with repeats`(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let store = try scenario.played(seed: 1, endingAt: Self.end)
    let signer = NotificationSigner(JWSSigner(CertificateAuthority(seed: 1)))
    let signed = store.notifications.map(signer.sign)
    var dice = SeededGenerator(seed: 35)
    let orders = [
      ("given", signed), ("reversed", signed.reversed()),
      ("shuffled", signed.shuffled(using: &dice)),
      ("repeated", (signed + signed + signed).shuffled(using: &dice)),
    ]
    var digests: Set<String> = []
    for (order, payloads) in orders where name != "34b-huge-body" || order == "given" {
      let trial = try LedgerTrial(seed: 1, app: store.app)
      try trial.take(payloads, at: Self.asked)
      for row in Self.rows where row.scenario == name {
        let told = try outcome(row, trial, store)
        #expect(told == (row.isUndecided ? undecided(told) : row), "\(order)")
      }
      digests.insert(try trial.digest())
    }
    #expect(digests.count == 1, "every order leaves the same ledger")
  }

  private func outcome(
    _ row: Outcome, _ trial: LedgerTrial, _ store: SimulatedAppStore
  ) throws -> Outcome {
    let customer = store.customers.first { $0.name == row.customer }
    let product = store.catalog.first { $0.shortName == row.product }?.id ?? row.product
    let decision = try trial.decision(product, of: customer, at: Self.asked)
    let money = try trial.refunded().map { currency, milliunits in
      Money(milliunits: milliunits, currency: currency).text
    }
    return Outcome(
      scenario: row.scenario, customer: row.customer, product: row.product,
      decision: decision.verdict.rawValue, reason: decision.reason.rawValue,
      money: money.isEmpty ? "0" : money.sorted().joined(separator: " "))
  }

  private func undecided(_ told: Outcome) -> Outcome { told }
}
