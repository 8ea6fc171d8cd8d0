import AppStoreModel
import AppStoreSimulator

/// A life of a payer and a family member, as a seed draws it, with the store as it was after each
/// step.
///
/// Left out is what Apple leaves open: an upgrade while the next period is paid already.
struct RandomLife {
  /// The store as it was from a moment on.
  struct Snapshot {
    let since: Timestamp
    let store: SimulatedAppStore
  }

  let seed: UInt64
  private(set) var store: SimulatedAppStore
  private(set) var now = Timestamp(millisecondsSince1970: 1_780_000_000_000)
  private(set) var snapshots: [Snapshot] = []
  let payer: Customer
  let member: Customer

  private var dice: SeededGenerator
  private let chain: String
  private var refundable: [String] = []
  private var refunded: [String] = []
  private var shares: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    store = SimulatedAppStore(seed: seed)
    dice = SeededGenerator(seed: seed &+ 0x11FE)
    payer = store.enroll("Ada")
    member = store.enroll("Ben", withToken: false)
    let first = Bool.random(using: &dice) ? SimulatedProduct.pro : .basic
    chain = try store.buy(first.id, by: payer, at: now)
    refundable = [chain]
    keep()
    for _ in 0..<Int.random(in: 1...10, using: &dice) {
      try step()
      keep()
    }
    wait(hours: 1...600)
  }

  /// The store as it was at a moment, absent before the first purchase.
  func store(at moment: Timestamp) -> SimulatedAppStore? {
    snapshots.last { $0.since <= moment }?.store
  }

  private mutating func keep() { snapshots.append(Snapshot(since: now, store: store)) }

  private mutating func wait(hours: ClosedRange<Int64>) {
    now = now.adding(.hours(Int64.random(in: hours, using: &dice)))
  }

  private mutating func step() throws {
    wait(hours: 1...200)
    if Int.random(in: 0..<8, using: &dice) == 0 { return try buyOnce() }
    guard let subscription = store.subscription(of: chain) else { return }
    switch store.status(of: subscription, at: now) {
    case .active: try stepWhileActive(subscription)
    case .billingRetry, .billingGracePeriod: try stepWhileUnpaid()
    default: try stepWhileOver()
    }
  }

  private mutating func stepWhileActive(_ subscription: Subscription) throws {
    switch Int.random(in: 0..<12, using: &dice) {
    case 0..<3: try renewOrFail(subscription)
    case 3: try store.setAutoRenewal(Bool.random(using: &dice), of: chain, at: now)
    case 4, 5: try refundOne()
    case 6: try changePlan(subscription)
    case 7: try extend(subscription)
    case 8, 9: try shareOrStop()
    default: try reverseOne()
    }
  }

  private mutating func stepWhileUnpaid() throws {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: try refundOne()
    case 1: try store.expire(chain, .billingError, at: now)
    default: refundable.append(try store.recover(chain, at: now))
    }
  }

  private mutating func stepWhileOver() throws {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: try reverseOne()
    case 1: try refundOne()
    default:
      let product = Bool.random(using: &dice) ? SimulatedProduct.pro : .basic
      refundable.append(try store.buy(product.id, by: payer, at: now))
    }
  }

  private mutating func buyOnce() throws {
    let product = Bool.random(using: &dice) ? SimulatedProduct.themes : .coins
    let quantity = product.type == .consumable ? Int32.random(in: 1...3, using: &dice) : 1
    refundable.append(try store.buy(product.id, by: payer, quantity: quantity, at: now))
  }

  private mutating func renewOrFail(_ subscription: Subscription) throws {
    let newest = subscription.transactionIds.last.flatMap { store.copy(of: $0, signedAt: now) }
    now = max(now, newest?.expiresDate ?? now)
    if subscription.autoRenews, Int.random(in: 0..<4, using: &dice) > 0 {
      refundable.append(try store.renew(chain, at: now.subtracting(.hours(1))))
    } else if subscription.autoRenews {
      try store.failToRenew(chain, grace: Bool.random(using: &dice) ? .days(16) : nil, at: now)
    } else {
      try store.expire(chain, at: now)
    }
  }

  private mutating func changePlan(_ subscription: Subscription) throws {
    let newest = subscription.transactionIds.last.flatMap { store.copy(of: $0, signedAt: now) }
    guard let begun = newest?.purchaseDate, begun <= now else { return }
    let isPro = subscription.productId == SimulatedProduct.pro.id
    let other = isPro ? SimulatedProduct.basic : .pro
    if let id = try store.changePlan(chain, to: other.id, at: now) { refundable.append(id) }
  }

  private mutating func extend(_ subscription: Subscription) throws {
    guard store.extensionRefusal(subscription, at: now) == nil else { return }
    try store.extendRenewal(of: chain, byDays: 7, at: now)
  }

  private mutating func shareOrStop() throws {
    if let share = shares.last, store.copy(of: share, signedAt: now)?.revocationDate == nil {
      let newest = store.newestTransactionId(of: share) ?? share
      guard store.copy(of: newest, signedAt: now)?.revocationDate == nil else { return }
      return try store.stopSharing(newest, at: now)
    }
    guard shares.isEmpty, let newest = store.newestTransactionId(of: chain),
      store.copy(of: newest, signedAt: now)?.revocationDate == nil
    else { return }
    shares.append(try store.share(newest, with: member, at: now))
  }

  private mutating func refundOne() throws {
    guard let id = refundable.randomElement(using: &dice) else { return }
    let part = RevokedShare(percentMilliunits: Int32.random(in: 1...99_999, using: &dice))
    let isWhole = Int.random(in: 0..<3, using: &dice) > 0
    try store.refund(id, prorated: isWhole ? nil : part, at: now)
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
