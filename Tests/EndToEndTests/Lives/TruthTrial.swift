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

  /// What a ledger that was told some facts and the reading says that it should not; one line for
  /// each.
  func disagreements(
    _ trial: LedgerTrial, told: [ToldFact], at moments: [Timestamp]
  ) throws -> [String] {
    var lines: [String] = []
    for customer in channels.known {
      for moment in moments {
        let state = try trial.state(of: customer, at: moment)
        lines += wrongAccess(of: customer, state, told, at: moment)
      }
    }
    return try lines + wrongMoney(trial)
  }

  private func wrongAccess(
    of customer: Customer, _ state: CustomerState, _ told: [ToldFact], at moment: Timestamp
  ) -> [String] {
    let products = life.store.catalog.filter { $0.type != .nonRenewingSubscription }
    let granted = products.filter { product in
      let decision = state.decision(on: product.id)
      return decision.verdict == .granted && !decision.isProvisional
    }
    let truth = products.filter { life.store.grants($0.id, to: customer, at: moment) }
    let forgotten = life.forgotten(by: told, readAt: channels.readAt, customer, at: moment)
    guard granted != truth.filter({ !forgotten.contains($0.id) }) else { return [] }
    let reasons = products.map { "\($0.shortName) \(state.decision(on: $0.id).reason.rawValue)" }
    return [
      "\(customer.name) at \(FactMaker.day(moment)): \(reasons.joined(separator: ", ")); "
        + "in truth \(truth.map(\.shortName)), of which forgotten \(forgotten.sorted())"
    ]
  }

  private func wrongMoney(_ trial: LedgerTrial) throws -> [String] {
    guard channels.known.contains(life.payer) else { return [] }
    let ids = Set(life.store.history(of: life.payer).compactMap(\.payload.originalTransactionId))
    let told = try trial.refunded(ofChains: ids)[Currency(code: "USD")] ?? 0
    let truth = life.store.refunded(in: Currency(code: "USD")).milliunits
    return told == truth ? [] : ["money \(told), in truth \(truth)"]
  }
}
