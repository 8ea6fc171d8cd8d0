import AppStoreModel

/// The kit's one worker: everything that the store says goes through here, one after the other.
actor Engine {
  let connection: any StoreConnection
  let clock: any KitClock
  let cache: any EntitlementCache
  let board: AnswerBoard
  let deliver: ConsumableDelivery?
  let reporter: Reporter?
  let secondOpinion: SecondOpinion?
  var holdings: Holdings
  var shown: [Entitlement]
  var lastFile: CacheFile?
  var cacheProblem: CacheProblem?
  var alarm: Task<Void, Never>?
  var retry: Task<Void, Never>?
  private var isReading = false
  /// Whether another look is wanted after this one, and with the history.
  private var wanted: Bool?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(
    _ holdings: Holdings, connection: any StoreConnection, clock: any KitClock,
    cache: any EntitlementCache, board: AnswerBoard, deliver: ConsumableDelivery?,
    reporter: Reporter?, secondOpinion: SecondOpinion?
  ) {
    self.holdings = holdings
    self.connection = connection
    self.clock = clock
    self.cache = cache
    self.board = board
    self.deliver = deliver
    self.reporter = reporter
    self.secondOpinion = secondOpinion
    shown = holdings.entitlements(at: clock.now)
  }

  /// Takes in an announced transaction, records it, and only then finishes it.
  func handle(_ item: StoreTransaction) async {
    let taking = holdings.takeAnnounced(item, at: clock.now)
    keep([taking], [ReportQueue.Text.texts(of: item)])
    publish([taking])
    await report()
    await settle(item, taking)
    if case .setAside(let aside) = taking, aside.reason == .foreignOwner { await read() }
  }

  func handle(_ status: StoreStatus) async {
    let taking = holdings.takeAnnounced(status, at: clock.now)
    keep([taking], [ReportQueue.Text.texts(of: status)])
    publish([taking])
    await report()
  }

  /// Looks at the store; a look that is wanted while one goes on follows it.
  func read(withHistory: Bool = false, attempt: Int = 0) async {
    if isReading {
      wanted = (wanted ?? false) || withHistory
      await withCheckedContinuation { waiters.append($0) }
      return
    }
    isReading = true
    await readOnce(withHistory: withHistory, attempt: attempt)
    while let history = wanted {
      wanted = nil
      await readOnce(withHistory: history, attempt: 0)
    }
    isReading = false
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.resume() }
  }

  /// Restores purchases: the customer may be asked to sign in.
  func sync() async throws(StoreFailure) {
    try await connection.sync()
    await read(withHistory: true)
  }

  /// Waits for the look that is going on, if one is.
  func settled() async {
    if isReading { await withCheckedContinuation { waiters.append($0) } }
  }

  /// Tells that the cache of an earlier run was not used.
  func note(_ problem: CacheProblem) {
    cacheProblem = problem
    publish([])
  }

  func close() {
    alarm?.cancel()
    retry?.cancel()
  }

  /// Finishes what is recorded; consumables only when the app has them, once each.
  func settle(
    _ item: StoreTransaction, _ taking: Holdings.Taking, isUnfinished: Bool = true
  ) async {
    if case .setAside = taking { return }
    guard isUnfinished, let payload = item.payload else { return }
    if payload.type == .consumable, payload.revocationDate == nil {
      guard await deliverOnce(payload) else { return }
    }
    await item.finish()
  }

  private func deliverOnce(_ payload: JWSTransactionDecodedPayload) async -> Bool {
    guard let id = payload.transactionId else { return false }
    if holdings.delivered.contains(id) { return true }
    guard let deliver, await deliver(ConsumablePurchase(payload)) else { return false }
    holdings.markDelivered(id)
    publish([])
    return true
  }
}
