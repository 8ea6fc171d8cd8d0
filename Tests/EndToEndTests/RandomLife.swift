import AppStoreModel
import AppStoreSimulator

/// A life of one subscription, as a seed draws it.
///
/// Left out is what no notification tells: the tier that lives again when its upgrade is refunded.
struct RandomLife {
  private(set) var store: SimulatedAppStore
  private(set) var now = Timestamp(millisecondsSince1970: 1_780_000_000_000)
  let customer: Customer

  private var dice: SeededGenerator
  private let chain: String
  private var refundable: [String]
  private var refunded: [String] = []

  init(seed: UInt64) throws {
    store = SimulatedAppStore(seed: seed)
    dice = SeededGenerator(seed: seed &+ 1)
    customer = store.enroll("Ada")
    chain = try store.buy(SimulatedProduct.pro.id, by: customer, at: now)
    refundable = [chain]
    for _ in 0..<Int.random(in: 1...8, using: &dice) { try step() }
    wait(hours: 1...600)
  }

  private mutating func wait(hours: ClosedRange<Int64>) {
    now = now.adding(.hours(Int64.random(in: hours, using: &dice)))
  }

  private mutating func step() throws {
    wait(hours: 1...200)
    guard let subscription = store.subscription(of: chain) else { return }
    switch store.status(of: subscription, at: now) {
    case .active: try stepWhileActive()
    case .billingRetry, .billingGracePeriod: refundable.append(try store.recover(chain, at: now))
    default: try stepWhileOver()
    }
  }

  private mutating func stepWhileActive() throws {
    switch Int.random(in: 0..<8, using: &dice) {
    case 0..<3: try renewOrFail()
    case 3: try store.setAutoRenewal(Bool.random(using: &dice), of: chain, at: now)
    case 4, 5: try refundOne()
    default: try reverseOne()
    }
  }

  private mutating func stepWhileOver() throws {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: try reverseOne()
    case 1: try refundOne()
    default: refundable.append(try store.buy(SimulatedProduct.pro.id, by: customer, at: now))
    }
  }

  private mutating func renewOrFail() throws {
    let end = store.copy(of: store.newestTransactionId(of: chain) ?? chain, signedAt: now)
    now = max(now, end?.expiresDate ?? now)
    if Int.random(in: 0..<4, using: &dice) > 0 {
      refundable.append(try store.renew(chain, at: now.subtracting(.hours(1))))
    } else {
      try store.failToRenew(chain, grace: Bool.random(using: &dice) ? .days(16) : nil, at: now)
    }
  }

  private mutating func refundOne() throws {
    guard let id = refundable.randomElement(using: &dice) else { return }
    try store.refund(id, prorated: nil, at: now)
    refundable.removeAll { $0 == id }
    refunded.append(id)
  }

  private mutating func reverseOne() throws {
    guard let id = refunded.randomElement(using: &dice) else { return }
    try store.reverseRefund(of: id, at: now)
    refunded.removeAll { $0 == id }
    refundable.append(id)
  }
}
