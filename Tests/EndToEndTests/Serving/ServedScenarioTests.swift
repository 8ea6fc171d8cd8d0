import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

/// Every scenario, posted to `clawback serve`, held to the table of the contracts.
struct ServedScenarioTests {
  private let authority = CertificateAuthority(seed: 1)
  private let app = SimulatedApp()

  /// A scenario as it was played to end now.
  private struct Played {
    let name: String
    let store: SimulatedAppStore
    let signed: [String]

    init(_ scenario: Scenario, _ authority: CertificateAuthority) throws {
      let now = Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
      let signer = NotificationSigner(JWSSigner(authority))
      name = scenario.name
      store = try scenario.played(seed: 1, endingAt: now)
      signed = store.notifications.map(signer.sign)
    }
  }

  @Test(arguments: ["given", "reversed", "shuffled", "repeated"])
  func `a server ends every scenario as the table says`(order: String) throws {
    let site = try ServedSite(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      root: authority.root.der)
    let stories = Scenario.all.filter { $0.name != "34b-huge-body" || order == "given" }
    let played = try stories.map { try Played($0, authority) }
    let served = try ServedProcess(site)
    let key = try site.key("table", scope: "read", app: app.bundleId)
    for story in played {
      for payload in arrange(story.signed, order) { _ = try? served.post(payload) }
      for row in ScenarioOutcomeTests.rows where row.scenario == story.name && !row.isUndecided {
        let told = try served.get(path(row, story.store), key: key)
        #expect(told.contains("\"verdict\":\"\(row.decision)\""), "\(row) \(told)")
        #expect(told.contains("\"reason\":\"\(row.reason)\""), "\(row) \(told)")
      }
    }
    #expect(served.stop() == 0)
    try site.inspect { reader in
      for story in played {
        let told = try money(story, reader)
        #expect(told == expectedMoney(story), "\(story.name)")
      }
    }
  }

  private func arrange(_ payloads: [String], _ order: String) -> [String] {
    var dice = SeededGenerator(seed: 22)
    switch order {
    case "reversed": return payloads.reversed()
    case "shuffled": return payloads.shuffled(using: &dice)
    case "repeated": return (payloads + payloads).shuffled(using: &dice)
    default: return payloads
    }
  }

  private func path(_ row: ScenarioOutcomeTests.Outcome, _ store: SimulatedAppStore) -> String {
    let customer = store.customers.first { $0.name == row.customer }
    let account = "atx:" + (customer?.appTransactionId ?? "nobody")
    let product = store.catalog.first { $0.shortName == row.product }?.id ?? row.product
    return "/v1/customers/\(customer?.appAccountToken ?? account)/entitlements/\(product)"
  }

  private func expectedMoney(_ story: Played) -> String {
    ScenarioOutcomeTests.rows.first { $0.scenario == story.name }?.money ?? ""
  }

  private func money(_ story: Played, _ reader: LedgerReader) throws -> String {
    let originals = Set(
      story.store.customers.flatMap { story.store.history(of: $0) }
        .compactMap(\.payload.originalTransactionId))
    let scope = Scope(
      realm: .test(fingerprint: authority.root.fingerprint), bundleId: app.bundleId,
      environment: .sandbox)
    let chains = try originals.compactMap {
      try reader.chain(ChainKey(scope: scope, originalTransactionId: $0))
    }
    let amounts = chains.flatMap { $0.refundEntries() }.compactMap(\.netRefund)
      .filter { $0.milliunits != 0 }
    let total = amounts.reduce(0) { $0 + $1.milliunits }
    return amounts.first.map { Money(milliunits: total, currency: $0.currency).text } ?? "0"
  }
}
