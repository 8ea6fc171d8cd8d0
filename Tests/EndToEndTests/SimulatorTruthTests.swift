import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Testing

/// The ledger's answers beside what the simulated App Store knows to be true.
struct SimulatorTruthTests {
  let authority = CertificateAuthority(seed: 1)
  let dollars = Currency(code: "USD")

  @Test(arguments: Scenario.all.map(\.name))
  func `after a whole scenario, in any order, the ledger knows the truth`(name: String) throws {
    let end = Timestamp(millisecondsSince1970: 1_790_000_000_000)
    let store = try #require(Scenario.named(name)).played(seed: 1, endingAt: end)
    try check(store, at: end.adding(.minutes(1)), seed: 1, name)
  }

  @Test(arguments: 0..<8)
  func `after a random life, in any order, the ledger knows the truth`(batch: Int) throws {
    for seed in UInt64(batch) * 25..<UInt64(batch + 1) * 25 {
      let life = try RandomLife(seed: seed)
      try check(life.store, at: life.now, seed: seed, "life \(seed)")
    }
  }

  private func check(
    _ store: SimulatedAppStore, at now: Timestamp, seed: UInt64, _ what: String
  ) throws {
    var facts = try facts(store)
    var dice = SeededGenerator(seed: seed)
    for order in ["given", "reversed", "shuffled and repeated"] {
      if order == "reversed" { facts.reverse() }
      if order.hasPrefix("shuffled") { facts = (facts + facts).shuffled(using: &dice) }
      let chains = fold(facts)
      for customer in store.customers {
        let own = store.deviceTransactions(of: customer, signedAt: now)
          .compactMap(\.originalTransactionId)
        for product in store.catalog where product.type != .nonRenewingSubscription {
          let told = grants(product.id, own, chains, at: now)
          let truth = store.grants(product.id, to: customer, at: now)
          #expect(told == truth, "\(what), \(order): \(product.id) of \(customer.name)")
        }
      }
      let refunded = chains.flatMap { $0.refundEntries() }.compactMap(\.netRefund?.milliunits)
        .reduce(0, +)
      #expect(refunded == store.refunded(in: dollars).milliunits, "\(what), \(order): money")
    }
  }

  private func facts(_ store: SimulatedAppStore) throws -> [LedgerFact] {
    let signer = NotificationSigner(JWSSigner(authority))
    let verifier = try SignedDataVerifier(
      roots: [TrustedRoot(certificate: authority.root.der)], allowed: .any)
    return try store.notifications.filter { $0.transaction != nil }.map { notification in
      let proved = try verifier.verifyNotification(
        Array(signer.sign(notification).utf8), now: Timestamp(millisecondsSince1970: 0))
      return try LedgerFact.from(
        try #require(proved.outer.verified), transaction: proved.transaction?.verified,
        renewal: proved.renewalInfo?.verified, channel: .notification)
    }
  }

  private func fold(_ facts: [LedgerFact]) -> [Chain] {
    var chains: [ChainKey: Chain] = [:]
    for fact in facts {
      guard case .notification(let notification) = fact,
        let id = notification.transaction?.originalTransactionId
      else { continue }
      let key = ChainKey(scope: fact.scope, originalTransactionId: id)
      _ = chains[key, default: Chain(key: key)].join(fact)
    }
    return Array(chains.values)
  }

  private func grants(
    _ product: String, _ own: [String], _ chains: [Chain], at now: Timestamp
  ) -> Bool {
    chains.filter { own.contains($0.key.originalTransactionId) }.contains { chain in
      chain.answer(at: now).products
        .contains { $0.productId == product && $0.verdict == .granted && !$0.isProvisional }
    }
  }
}
