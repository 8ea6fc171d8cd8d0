import AppStoreModel
import EntitlementLedger
public import Foundation

/// What this customer may do, kept right by one listener for as long as the object lives.
///
/// Make one when the app starts and keep it. Reading an answer never waits for the store.
public final class Entitlements: Sendable {
  /// What the app asks about, as it was stated when the object was made.
  public let rules: [EntitlementRule]

  private let board: AnswerBoard
  private let engine: Engine
  private let clock: any KitClock
  private let tasks: TaskBag

  /// Starts listening and looks at the store.
  package init(
    _ rules: [EntitlementRule], connection: any StoreConnection, clock: any KitClock,
    cache: any EntitlementCache, deliver: ConsumableDelivery? = nil, reporter: Reporter? = nil,
    secondOpinion: SecondOpinion? = nil
  ) {
    self.rules = rules
    self.clock = clock
    let (holdings, problem) = Self.holdings(rules, connection, cache)
    let board = AnswerBoard(holdings)
    let engine = Engine(
      holdings, connection: connection, clock: clock, cache: cache, board: board,
      deliver: deliver, reporter: reporter, secondOpinion: secondOpinion)
    self.board = board
    self.engine = engine
    tasks = TaskBag()
    // The listener comes first: what is announced before it stands may never be said again, so the
    // first look begins when it does.
    let standing = Milestone()
    tasks.add(
      Task {
        await connection.listen(standing: standing.reach) { await engine.handle($0) }
        standing.reach()
      })
    tasks.add(Task { await connection.listenToStatuses { await engine.handle($0) } })
    tasks.add(
      Task {
        if let problem { await engine.note(problem) }
        await standing.wait()
        await engine.read()
      })
    if let reporter { tasks.add(Task { await reporter.run { board.note($0) } }) }
  }

  deinit {
    tasks.cancel()
    board.close()
    let engine = engine
    Task { await engine.close() }
  }

  // MARK: Asking

  /// The answer about one right; a right that no rule states is never bought.
  public subscript(id: String) -> Entitlement {
    board.entitlement(id, at: clock.now) ?? Entitlement(id, .neverBought)
  }

  /// Whether the customer may: the answer, and where there is none the policy stated for it.
  public func allows(_ id: String) -> Bool {
    self[id].isAllowed
  }

  /// All rights, in the order of the rules.
  public var all: [Entitlement] { rules.map { self[$0.id] } }

  /// How far the store can be relied on now: only `live` sells, and no state grants.
  public var storeState: StoreState { board.storeState }

  /// When the App Store took back the app itself, a paid one.
  ///
  /// Absent while it stands, and where the system does not tell. What follows is the app's own rule.
  public var appTakenBackAt: Date? { board.appTakenBackAt }

  /// Why the server takes no reports, or not all, where the developer has to mend something.
  ///
  /// Absent while reports arrive, and while the server is only down or the device offline.
  public var reportingProblem: ReportingProblem? { board.reportingProblem }

  /// What StoreKit handed over and what changes nothing, newest last.
  public var setAside: [SetAsideItem] { board.setAside }

  /// Everything that happens from now on; each call makes a stream of its own.
  ///
  /// The first stream begins with what happened since the object was made, so that what the first look
  /// at the store finds reaches an app that follows a little later.
  public var changes: AsyncStream<EntitlementChange> { board.changes() }

  /// The text that the App Store signed, by which an answer can be shown its evidence.
  public func signedTransaction(_ transactionID: String) -> String? {
    board.signedCopy(transactionID)
  }

  // MARK: Looking again

  /// Looks at the store again, as the kit does by itself when the app returns to the foreground.
  public func refresh() async {
    // A task of its own: StoreKit answers nothing in a cancelled one.
    await Task { [engine] in await engine.read() }.value
  }

  /// Restores purchases after a tap: the customer may be asked to sign in.
  ///
  /// - Throws: ``StoreFailure`` when StoreKit could not be asked, or the customer stopped it.
  public func restorePurchases() async throws(StoreFailure) {
    try await engine.sync()
  }

  /// Takes in a transaction that a purchase returned; it is not looked up again.
  package func merge(_ item: StoreTransaction) async {
    await engine.handle(item)
  }

  /// Calls back after every change, from any thread, for as long as what is returned lives.
  func follow(_ body: @escaping @Sendable () -> Void) -> AnswerFollower {
    board.follow(body)
  }

  /// How many observable objects follow.
  package var followerCount: Int { board.followerCount }

  #if DEBUG
    func pretendOnBoard(_ id: String, _ isEntitled: Bool?) { board.pretend(id, isEntitled) }
  #endif

  /// Looks again whenever the system says that the app returned to the foreground.
  package func refreshInForeground() {
    tasks.observe(ForegroundNotice.names) { [weak self] in
      guard let self else { return }
      Task { await self.refresh() }
    }
  }

  /// Waits until a look that is going on is over.
  package func settled() async {
    await engine.settled()
  }

  private static func holdings(
    _ rules: [EntitlementRule], _ connection: any StoreConnection, _ cache: any EntitlementCache
  ) -> (Holdings, CacheProblem?) {
    let empty = Holdings(rules: rules, realm: connection.realm, bundleID: connection.bundleID)
    do throws(CacheProblem) {
      guard let bytes = try cache.read() else { return (empty, nil) }
      var holdings = empty
      try holdings.restore(CacheFile(bytes))
      return (holdings, nil)
    } catch {
      return (empty, error)
    }
  }
}
