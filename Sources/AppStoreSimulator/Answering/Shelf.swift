import AppStoreModel

/// One environment's store, with what its API needs to find things in it.
struct Shelf: Sendable {
  var store: SimulatedAppStore
  var outbox: Outbox
  /// The `notificationUUID` of test notifications, by their tokens.
  var tests: [String: String] = [:]
  var extensions: [PendingExtension] = []

  private var doneUntil: Timestamp
  private var nextStep: Timestamp?
  private var collected = 0
  private var past: [(until: Timestamp, store: SimulatedAppStore)] = []

  /// An extension for all subscribers that has yet to happen.
  struct PendingExtension: Sendable {
    let requestIdentifier: String
    let productId: String
    let days: Int64
    let storefronts: [String]
    let dueAt: Timestamp
  }

  init(
    _ store: SimulatedAppStore, seed: UInt64, faults: DeliveryFaults, doneUntil: Timestamp
  ) {
    self.store = store
    self.doneUntil = doneUntil
    nextStep = store.nextStep()
    outbox = Outbox(in: store.app.environment, faults: faults, seed: seed)
  }

  /// Takes over what the store has to say.
  mutating func collect() {
    for notification in store.notifications[collected...] { outbox.add(notification) }
    collected = store.notifications.count
  }

  /// Counts what is due as received, unless a fault is in the way.
  mutating func absorb(until moment: Timestamp) {
    while let sent = outbox.next(until: moment) { outbox.record(.success, of: sent) }
  }

  /// Changes the store, and notes what it does by itself next.
  mutating func change<Result>(
    at moment: Timestamp,
    _ body: (inout SimulatedAppStore, Timestamp) throws(StoreRefusal) -> Result
  ) throws(StoreRefusal) -> Result {
    let result = try body(&store, moment)
    plan()
    return result
  }

  private mutating func plan() { nextStep = store.nextStep() }

  func isDue(at moment: Timestamp) -> Bool {
    [nextStep, extensions.map(\.dueAt).min()].compactMap { $0 }.contains { $0 <= moment }
  }

  /// Does what is due, each thing at its own time.
  mutating func settle(at moment: Timestamp) {
    let due = extensions.filter { $0.dueAt <= moment }.sorted { $0.dueAt < $1.dueAt }
    extensions.removeAll { $0.dueAt <= moment }
    for extending in due {
      pass(to: extending.dueAt)
      // A product that is no longer for sale was refused when it was asked for.
      _ = try? store.extendRenewals(
        ofProduct: extending.productId, byDays: extending.days, in: extending.storefronts,
        requestIdentifier: extending.requestIdentifier, at: extending.dueAt)
    }
    pass(to: moment)
    plan()
  }

  private mutating func pass(to moment: Timestamp) {
    // What is due was found in this store, so that nothing of it can be unknown.
    try? store.pass(from: doneUntil, to: moment)
    doneUntil = max(doneUntil, moment)
  }

  // MARK: The past

  /// Keeps the store as it is, before it changes.
  mutating func keepPast(at moment: Timestamp, for lag: TimeSpan) {
    past.append((moment, store))
    past.removeAll { $0.until < moment.subtracting(lag) }
  }

  /// The store as it was at a moment, as far back as it was kept.
  func store(asOf moment: Timestamp) -> SimulatedAppStore {
    past.first { $0.until > moment }?.store ?? store
  }
}
