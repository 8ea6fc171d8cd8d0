package import AppStoreModel

/// The App Store as its API shows it: a store for each environment, the key to call with, and what is
/// on its way to the receiver.
///
/// Pure: every call says what the host's clock shows, and chance comes from the seed. The store's own
/// clock runs ahead of the host's by what was travelled.
package struct SimulatedServer: Sendable {
  package let key: APIKey
  /// Whether notifications are delivered at all, as with a URL set in App Store Connect.
  package var hasReceiver: Bool
  package var limits = HourlyLimits()
  package var switches = ServerSwitches()
  /// What the next calls meet instead of an answer, oldest first.
  package var faults: [APIFault] = []
  /// Why calls were not authorized, the last hundred.
  package internal(set) var refusedTokens: [TokenFault] = []
  var counts: [AppStoreEnvironment: [APIEndpoint: Int]] = [:]
  /// How often each endpoint was called, in both environments together.
  package var calls: [APIEndpoint: Int] {
    counts.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
  }
  package internal(set) var journal = Journal()
  /// How far the store's clock is ahead of the host's.
  package internal(set) var travelled = TimeSpan.zero

  let signer: NotificationSigner
  let jws: JWSSigner
  var shelves: [AppStoreEnvironment: Shelf]

  /// Opens a server in which a story has played.
  ///
  /// - Parameters:
  ///   - store: the story's store; the other environment begins empty.
  ///   - seed: what the API key is made from, and the other environment's ids.
  ///   - signer: signs as the store's leaf.
  ///   - faults: what goes wrong, counted from the story's first step.
  ///   - start: when that was.
  ///   - hasReceiver: whether notifications are delivered; otherwise each counts as received at once.
  ///   - now: by the host's clock; up to then the story is done.
  package init(
    _ store: SimulatedAppStore, seed: UInt64, signer: JWSSigner,
    faults: PlannedFaults = PlannedFaults(), from start: Timestamp? = nil,
    hasReceiver: Bool = false, at now: Timestamp
  ) {
    key = APIKey(seed: seed)
    jws = signer
    self.signer = NotificationSigner(signer)
    self.hasReceiver = hasReceiver
    let environment = store.app.environment
    var app = store.app
    app.environment = environment == .production ? .sandbox : .production
    let other = SimulatedAppStore(
      app: app, catalog: store.catalog, policy: store.policy, seed: seed ^ 0x0DD)
    let delivery = DeliveryFaults(faults, from: start ?? now)
    shelves = [
      environment: Shelf(store, seed: seed, faults: delivery, doneUntil: now),
      app.environment: Shelf(other, seed: seed, faults: delivery, doneUntil: now),
    ]
    self.faults = faults.calls.compactMap(APIFault.init)
    for environment in shelves.keys { collect(environment, now) }
  }

  /// The store of an environment.
  package func store(_ environment: AppStoreEnvironment) -> SimulatedAppStore? {
    shelves[environment]?.store
  }

  /// What was delivered in an environment.
  package func outbox(_ environment: AppStoreEnvironment) -> Outbox? {
    shelves[environment]?.outbox
  }

  /// What the store's clock shows.
  package func storeTime(at now: Timestamp) -> Timestamp { now.adding(travelled) }

  /// Changes a store, as somebody who buys or works at Apple.
  ///
  /// - Parameters:
  ///   - environment: whose store.
  ///   - now: by the host's clock.
  ///   - body: gets the store and its own time.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, which has looked before it changed anything.
  package mutating func change<Result>(
    _ environment: AppStoreEnvironment, at now: Timestamp,
    _ body: (inout SimulatedAppStore, Timestamp) throws(StoreRefusal) -> Result
  ) throws(StoreRefusal) -> Result {
    let moment = storeTime(at: now)
    if switches.lag > .zero { shelves[environment]?.keepPast(at: moment, for: switches.lag) }
    // In its place: a copy would cost as much as everything that was ever sold.
    guard let result = try shelves[environment]?.change(at: moment, body) else {
      throw .unknownProduct(environment.rawValue)
    }
    collect(environment, moment)
    return result
  }

  /// Lets the store do what is due by itself: renewals, ends, decisions, mass extensions.
  package mutating func settle(at now: Timestamp) {
    let moment = storeTime(at: now)
    for environment in shelves.keys {
      if shelves[environment]?.isDue(at: moment) == true {
        if switches.lag > .zero { shelves[environment]?.keepPast(at: moment, for: switches.lag) }
        shelves[environment]?.settle(at: moment)
      }
      collect(environment, moment)
    }
  }

  /// Moves the store's clock ahead; what falls due meanwhile happens at its own time.
  package mutating func travel(_ span: TimeSpan, at now: Timestamp) {
    settle(at: now)
    travelled = travelled.adding(max(.zero, span))
    settle(at: now)
  }

  /// Takes over what a store has to say; without a receiver it counts as taken when it is due.
  private mutating func collect(_ environment: AppStoreEnvironment, _ moment: Timestamp) {
    shelves[environment]?.collect()
    if !hasReceiver { shelves[environment]?.absorb(until: moment) }
  }
}
