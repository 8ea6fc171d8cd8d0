import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage

/// Holds a ledger's answers about one life against what the simulated App Store knows.
struct TruthTrial {
  let life: RandomLife
  let channels: LossyChannels

  init(seed: UInt64, scope: Scope) throws {
    life = try RandomLife(seed: seed)
    channels = try LossyChannels(life, scope)
  }

  /// The facts in an order that the seed draws: as they came, backwards, or shuffled and repeated.
  func facts(_ told: [ToldFact]) -> [ToldFact] {
    let facts = told + channels.reading
    var dice = SeededGenerator(seed: life.seed &* 31)
    switch life.seed % 3 {
    case 0: return facts
    case 1: return facts.reversed()
    default: return (facts + facts.prefix(facts.count / 2)).shuffled(using: &dice)
    }
  }

  /// After it all, and around every edge that is still to come.
  var moments: [Timestamp] {
    let now = channels.readAt.adding(.minutes(1))
    let edges = life.store.customers.flatMap { customer in
      life.store.history(of: customer).compactMap(\.payload.expiresDate)
        + life.store.subscriptions(of: customer).compactMap(\.gracePeriodExpiresDate)
    }
    let around = Set(edges).sorted().filter { $0 > now }
      .flatMap { [$0.subtracting(.minutes(1)), $0.adding(.minutes(62))] }
    return [now] + around.filter { $0 > now }
  }

  /// What a ledger says that is not so; one line for each.
  func disagreements(_ trial: LedgerTrial, at moments: [Timestamp]) throws -> [String] {
    var lines: [String] = []
    for customer in channels.known {
      for moment in moments {
        let state = try trial.state(of: customer, at: moment)
        lines += wrongAccess(of: customer, state, at: moment)
      }
    }
    return try lines + wrongMoney(trial)
  }

  private func wrongAccess(
    of customer: Customer, _ state: CustomerState, at moment: Timestamp
  ) -> [String] {
    let products = life.store.catalog.filter { $0.type != .nonRenewingSubscription }
    let told = products.filter { product in
      let decision = state.decision(on: product.id)
      return decision.verdict == .granted && !decision.isProvisional
    }
    let truth = products.filter { life.store.grants($0.id, to: customer, at: moment) }
    guard told != truth, !isLeftOpen(told, truth) else { return [] }
    let reasons = products.map { "\($0.shortName) \(state.decision(on: $0.id).reason.rawValue)" }
    return [
      "\(customer.name) at \(FactMaker.day(moment)): \(reasons.joined(separator: ", ")); "
        + "in truth \(truth.map(\.shortName))"
    ]
  }

  /// Whether two tiers of one group are paid for at once, of which at least one is granted.
  ///
  /// That is so when a refund is undone after the customer had bought again, and Apple does not say
  /// which of the two counts.
  private func isLeftOpen(_ told: [SimulatedProduct], _ truth: [SimulatedProduct]) -> Bool {
    func tiers(_ products: [SimulatedProduct]) -> [SimulatedProduct] {
      products.filter { $0.group != nil }
    }
    func others(_ products: [SimulatedProduct]) -> [SimulatedProduct] {
      products.filter { $0.group == nil }
    }
    return tiers(truth).count > 1 && !tiers(told).isEmpty && others(told) == others(truth)
  }

  private func wrongMoney(_ trial: LedgerTrial) throws -> [String] {
    guard channels.known.contains(life.payer) else { return [] }
    let ids = Set(life.store.history(of: life.payer).compactMap(\.payload.originalTransactionId))
    let told = try trial.refunded(ofChains: ids)[Currency(code: "USD")] ?? 0
    let truth = life.store.refunded(in: Currency(code: "USD")).milliunits
    return told == truth ? [] : ["money \(told), in truth \(truth)"]
  }
}
