import AppStoreModel
import AppStoreSimulator
import Testing

struct StoreAgendaTests {
  private static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  /// How often a store of so many subscribers looks at a chain in 95 days.
  private func looks(of count: Int) throws -> Int {
    var store = SimulatedAppStore(seed: 4)
    for number in 0..<count {
      let customer = store.enroll("c\(number)")
      try store.buy(SimulatedProduct.pro.id, by: customer, at: Self.start)
    }
    try store.pass(from: Self.start, to: Self.start.adding(.days(95)))
    #expect(store.notifications.count == count * 4)
    return store.agenda.looks
  }

  @Test func `a subscriber costs the same whoever else subscribes`() throws {
    #expect(try looks(of: 1_000) == looks(of: 1) * 1_000)
  }

  @Test(arguments: UInt64(1)...12)
  func `what is due next is what a walk through everything finds`(seed: UInt64) throws {
    var life = CrowdedLife(seed: seed)
    for _ in 0..<150 {
      life.act()
      let (store, now) = (life.store, life.now)
      #expect(store.nextStep() == life.soonest(), "seed \(seed), at \(now)")
    }
    #expect(life.store.notifications.count > 80)
  }
}

/// A few customers of one family who do what comes to their minds.
private struct CrowdedLife {
  var store = SimulatedAppStore(policy: StorePolicy(grace: .days(6)), seed: 9)
  var now = Timestamp(millisecondsSince1970: 1_780_000_000_000)
  private var dice: SeededGenerator
  private var customers: [Customer] = []
  private var bought: [String] = []

  init(seed: UInt64) {
    dice = SeededGenerator(seed: seed)
    for number in 0..<6 { customers.append(store.enroll("c\(number)", family: "f")) }
  }

  private mutating func pick<Item>(_ items: [Item]) -> Item? { items.randomElement(using: &dice) }

  /// Does one thing, which the store may refuse, and lets time pass now and then.
  mutating func act() {
    guard let customer = pick(customers) else { return }
    let id = pick(bought) ?? ""
    let chain = store.subscription(of: id)?.originalTransactionId ?? ""
    let deed = Int.random(in: 0..<15, using: &dice)
    if deed < 5, let product = pick([SimulatedProduct.pro, .basic, .coins]) {
      if let new = try? store.buy(product.id, by: customer, at: now) { bought.append(new) }
    } else {
      try? change(deed, id, chain, customer)
    }
    if Bool.random(using: &dice) { pass(.hours(Int64.random(in: 1...300, using: &dice))) }
  }

  private mutating func change(
    _ deed: Int, _ id: String, _ chain: String, _ customer: Customer
  ) throws {
    switch deed {
    case 5: try store.setAutoRenewal(Bool.random(using: &dice), of: chain, at: now)
    case 6: try store.refund(store.newestTransactionId(of: chain) ?? id, at: now)
    case 7: try store.reverseRefund(of: store.newestTransactionId(of: chain) ?? id, at: now)
    case 8: try store.requestRefund(of: id, at: now)
    case 9: store.setPayments(of: customer, succeed: Bool.random(using: &dice))
    case 10: try store.upgrade(chain, to: SimulatedProduct.pro.id, at: now)
    case 11: try store.extendRenewal(of: chain, byDays: 9, at: now)
    case 12: bought.append(try store.share(id, with: customer, at: now))
    case 13: try store.raisePrice(of: chain, to: SimulatedProduct.pro.price, at: now)
    default: try store.declineRefund(of: id, at: now)
    }
  }

  private mutating func pass(_ span: TimeSpan) {
    try? store.pass(from: now, to: now.adding(span))
    now = now.adding(span)
  }

  /// When the store does something next, by a look at everything that there is.
  func soonest() -> Timestamp? {
    let chains = customers.flatMap(store.subscriptions).compactMap(due)
    return (chains + store.refundRequests.values.map(\.deadline)).min()
  }

  private func due(_ chain: Subscription) -> Timestamp? {
    guard let newest = chain.transactionIds.last.flatMap({ try? store.transaction($0) })?.payload,
      let end = newest.expiresDate, chain.sharedFrom == nil, !chain.hasEnded,
      newest.revocationDate == nil
    else { return nil }
    let canPay = !store.unableToPay.contains(chain.customer.appTransactionId)
    if chain.isInBillingRetry {
      let grace = chain.hasLeftGrace ? nil : chain.gracePeriodExpiresDate
      return canPay ? end : grace ?? end.adding(.days(60))
    }
    let isPaid = chain.autoRenews && chain.priceIncrease?.isAccepted != false && canPay
    return isPaid ? end.subtracting(.hours(1)) : end
  }
}
