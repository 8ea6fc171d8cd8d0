import AppStoreModel
import AppStoreSimulator
import EntitlementLedger

/// The ways by which a life becomes known: each loses, repeats, delays or ages what it tells.
struct LossyChannels {
  /// What came before the last reading.
  private(set) var told: [ToldFact] = []
  /// What the last reading of Apple's API found.
  private(set) var reading: [ToldFact] = []
  /// When the last reading was done.
  let readAt: Timestamp

  private let life: RandomLife
  private let maker: FactMaker
  private var dice: SeededGenerator
  private var serial: Int64 = 0

  init(_ life: RandomLife, _ scope: Scope) throws {
    self.life = life
    maker = FactMaker(scope: scope)
    dice = SeededGenerator(seed: ~life.seed)
    readAt = life.now.adding(.minutes(56))
    for notification in life.store.notifications { try deliver(notification) }
    for _ in 0..<Int.random(in: 0...4, using: &dice) { try poll() }
    for _ in 0..<Int.random(in: 0...3, using: &dice) { try showOnDevice() }
    try read(at: life.now.adding(.minutes(33)), into: \.told)
    try sendAgain(after: life.now.adding(.minutes(33)))
    try read(at: readAt, into: \.reading)
  }

  /// The customers of whom anything is known: a reading by account finds all that is theirs.
  private(set) var known: [Customer] = []

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &dice) < percent
  }

  /// No two things are signed in the same millisecond.
  private mutating func stamp(_ moment: Timestamp) -> Timestamp {
    serial += 1
    return moment.adding(TimeSpan(milliseconds: serial))
  }

  private mutating func deliver(_ notification: UnsignedNotification) throws {
    let isLost = chance(20)
    if !isLost { try tell(notification, .notification) }
    if !isLost, chance(20) { try tell(notification, .notification) }
    if chance(10) { try tell(notification, .history) }
    if chance(isLost ? 40 : 12) {
      let delay: Int64 = [1, 13, 37, 85, 157].randomElement(using: &dice) ?? 1
      guard let first = notification.payload.signedDate else { return }
      let date = first.adding(.hours(delay))
      if date <= life.now { try tell(retry(of: notification, at: date), .notification) }
    }
  }

  private mutating func tell(_ notification: UnsignedNotification, _ channel: Channel) throws {
    guard let fact = try maker.notification(notification, channel, at: life.now) else { return }
    told.append(fact)
    note(notification.transaction?.transactionId)
  }

  private mutating func note(_ transactionId: String?) {
    guard let customer = transactionId.flatMap({ life.store.customer(of: $0) }) else { return }
    if !known.contains(customer) { known.append(customer) }
  }

  /// A retry that Apple signed anew: around its old content, or with the status of that moment.
  private mutating func retry(
    of notification: UnsignedNotification, at date: Timestamp
  ) -> UnsignedNotification {
    var retry = notification
    let signed = stamp(date)
    retry.payload.signedDate = signed
    if chance(60) {
      retry.transaction?.signedDate = signed
      retry.renewal?.signedDate = signed
    }
    if chance(30), retry.payload.data?.status != nil, let store = life.store(at: date),
      let subscription = notification.transaction?.transactionId.flatMap(store.subscription)
    {
      retry.payload.data?.status = store.status(of: subscription, at: date)
    }
    return retry
  }

  /// A moment to look at Apple: often soon after something happened.
  private mutating func lookingTime() -> Timestamp {
    let near = life.snapshots.randomElement(using: &dice)?.since ?? life.now
    let minutes = Int64.random(in: 0...(chance(50) ? 30 : 30_000), using: &dice)
    return min(life.now, near.adding(.minutes(minutes)))
  }

  private mutating func lag(upTo minutes: Int64) -> TimeSpan {
    chance(50) ? .zero : .minutes(Int64.random(in: 0...minutes, using: &dice))
  }

  private mutating func poll() throws {
    let time = lookingTime()
    guard let store = life.store(at: time.subtracting(lag(upTo: 14))),
      let transaction = store.history(of: life.payer).randomElement(using: &dice),
      let id = transaction.payload.transactionId,
      let copy = store.copy(of: id, signedAt: stamp(time))
    else { return }
    told.append(try maker.transaction(copy, chance(80) ? .poll : .import, at: life.now))
    note(id)
  }

  private mutating func showOnDevice() throws {
    let time = lookingTime()
    guard let store = life.store(at: time.subtracting(lag(upTo: chance(85) ? 14 : 1_800))) else {
      return
    }
    let customer = chance(70) ? life.payer : life.member
    for copy in store.deviceTransactions(of: customer, signedAt: stamp(time)) {
      told.append(try maker.transaction(copy, .device, at: life.now))
      note(copy.transactionId)
    }
  }

  /// Reads all that the known customers have, and their statuses.
  private mutating func read(
    at time: Timestamp, into list: WritableKeyPath<LossyChannels, [ToldFact]>
  ) throws {
    for customer in known {
      for transaction in life.store.history(of: customer) {
        guard let id = transaction.payload.transactionId,
          let copy = life.store.copy(of: id, signedAt: stamp(time))
        else { continue }
        self[keyPath: list].append(try maker.transaction(copy, .poll, at: time))
      }
      for subscription in life.store.subscriptions(of: customer) {
        let signed = stamp(time)
        guard let last = life.store.lastTransaction(of: subscription, signedAt: signed),
          let renewal = life.store.renewalInfo(
            of: subscription.originalTransactionId, signedAt: signed)
        else { continue }
        let status = life.store.status(of: subscription, at: time)
        self[keyPath: list].append(try maker.status(status, last, renewal, at: time))
      }
    }
  }

  /// Retries that Apple signs anew within five minutes, whatever was read or told before.
  private mutating func sendAgain(after time: Timestamp) throws {
    for notification in life.store.notifications where chance(15) {
      let later = time.adding(.seconds(Int64.random(in: 0...300, using: &dice)))
      try tell(retry(of: notification, at: later), .notification)
    }
  }
}
