package import AppStoreModel

/// Where a story plays: a store, a clock that the story moves, and names for what was bought.
package struct Stage: Sendable {
  package var store: SimulatedAppStore
  package private(set) var now: Timestamp
  /// When the story begins.
  package let start: Timestamp
  private var customers: [String: Customer] = [:]
  private var purchases: [String: String] = [:]
  private var devices: [String: DeviceHabits] = [:]

  package init(_ store: SimulatedAppStore, at start: Timestamp) {
    self.store = store
    self.start = start
    now = start
  }

  /// Lets time pass.
  package mutating func wait(_ span: TimeSpan) { now = now.adding(span) }

  package mutating func waitDays(_ count: Int64) { wait(.days(count)) }

  /// How long the story has lasted.
  var elapsed: TimeSpan {
    TimeSpan(milliseconds: now.millisecondsSince1970 - start.millisecondsSince1970)
  }

  /// Waits until a time since the start; a time that is over already stays over.
  mutating func wait(until span: TimeSpan) { now = max(now, start.adding(span)) }

  /// Lets time pass, and the store do what it does by itself meanwhile.
  package mutating func live(_ span: TimeSpan) throws(StoreRefusal) {
    let before = now
    wait(span)
    try store.pass(from: before, to: now)
  }

  // What a story says most often, at the stage's own time.

  package mutating func buy(
    _ product: SimulatedProduct, _ customer: Customer, quantity: Int32 = 1,
    offer: SimulatedOffer? = nil
  ) throws(StoreRefusal) -> String {
    try store.buy(product.id, by: customer, quantity: quantity, offer: offer, at: now)
  }

  /// Waits until an hour before a subscription's period ends, and renews it.
  package mutating func renew(_ chain: String) throws(StoreRefusal) -> String {
    now = max(now, store.end(of: try store.chain(chain)).subtracting(.hours(1)))
    return try store.renew(chain, at: now)
  }

  /// Waits until a minute after a subscription's newest period has ended.
  package mutating func waitForEnd(_ chain: String) throws(StoreRefusal) {
    now = max(now, store.end(of: try store.chain(chain)).adding(.minutes(1)))
  }

  package mutating func refund(
    _ transactionId: String, prorated share: Int32? = nil, because reason: RevocationReason = .other
  ) throws(StoreRefusal) {
    let share = share.flatMap { RevokedShare(percentMilliunits: $0) }
    try store.refund(transactionId, prorated: share, because: reason, at: now)
  }
}

extension Stage {
  mutating func enroll(_ plan: PlannedCustomer) {
    customers[plan.name] = store.enroll(
      plan.name, withToken: plan.hasToken, family: plan.family, storefront: plan.storefront)
  }

  /// The customer of that name, who comes with the first step that names them.
  mutating func customer(_ name: String) -> Customer {
    if let known = customers[name] { return known }
    enroll(PlannedCustomer(name: name))
    return customer(name)
  }

  /// What becomes of a customer's device; at first the app is open and online.
  package func habits(of customer: Customer) -> DeviceHabits {
    devices[customer.name] ?? DeviceHabits()
  }

  mutating func changeHabits(of customer: Customer, _ body: (inout DeviceHabits) -> Void) {
    body(&devices[customer.name, default: DeviceHabits()])
  }

  /// Names a purchase, so that later steps can speak of it.
  mutating func name(_ transactionId: String, _ names: String?...) {
    for name in names.compactMap({ $0 }) { purchases[name] = transactionId }
  }

  /// The transaction that a reference means.
  func transaction(_ reference: PurchaseReference) throws(StoreRefusal) -> String {
    guard let first = purchases[reference.name] else { throw .unknownPurchase(reference.name) }
    let chain = store.subscription(of: first)?.transactionIds ?? [first]
    guard let number = reference.number else { return chain.last ?? first }
    guard chain.indices.contains(number - 1) else {
      throw .noSuchPeriod(reference.name, number, of: chain.count)
    }
    return chain[number - 1]
  }

  /// The chain that a reference means: its `originalTransactionId`.
  func chain(_ reference: PurchaseReference) throws(StoreRefusal) -> String {
    try store.transaction(try transaction(reference)).payload.originalTransactionId ?? ""
  }
}

/// What a story says of a customer's device.
package struct DeviceHabits: Hashable, Sendable {
  /// Whether the app runs: otherwise nobody hears what StoreKit announces.
  package var isOpen = true
  /// Whether the App Store reaches the device.
  package var isOnline = true

  package init() {}
}

/// How a step names a purchase.
///
/// Shape: `ada.pro` for the newest period that Ada has of it, `ada.pro#2` for her second.
struct PurchaseReference: Hashable, Sendable {
  let name: String
  /// From 1; absent for the newest.
  let number: Int?

  init?(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      guard let number = Int(parts[1]), number > 0 else { return nil }
      self.number = number
    } else {
      number = nil
    }
    self.name = String(name)
  }
}
