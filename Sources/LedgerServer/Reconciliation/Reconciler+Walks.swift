import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension Reconciler {
  private static let chainsRead = 256

  /// Begins the walks that are due, and takes up those that a process before left.
  func beginWalks(at now: Timestamp) async throws(StoreError) {
    for kind in Walk.Kind.allCases {
      if walks[kind] == nil {
        walks[kind] = try store { (recorder) throws(StoreError) in
          try recorder.walk(kind, in: scope)
        }
      }
      guard var walk = walks[kind] else { continue }
      if walk.underway == nil, isDue(walk, at: now) {
        walk.begin(at: now)
        try await save(walk)
      }
      if kind == .rest || kind == .refunds, let leg = walk.underway, cursors[kind] == nil {
        cursors[kind] = RoundCursor(place: leg.place)
      }
    }
  }

  /// Reads the next chains of the rounds, and ends a round that has come to its end.
  ///
  /// While notification history is being read a round stays open: what is found there is asked about
  /// too. One that leads nowhere keeps no round from its end.
  func readAhead(at now: Timestamp) async throws(StoreError) {
    for kind in [Walk.Kind.refunds, .rest] {
      guard var walk = walks[kind], walk.underway != nil, let cursor = cursors[kind],
        cursor.next == nil
      else { continue }
      let ids = try store { (recorder) throws(StoreError) in
        try recorder.chainIDs(in: scope, after: cursor.readingPlace, limit: Self.chainsRead)
      }
      cursors[kind]?.read(ids)
      let isOver =
        ids.isEmpty && cursor.isResting
        && (walks[.notifications]?.underway == nil || isStuck(.notifications))
      guard isOver else { continue }
      walk.finish(at: now)
      cursors[kind] = nil
      try await save(walk)
    }
  }

  func save(_ walk: Walk) async throws(StoreError) {
    try await ledger.committed { (recorder) throws(StoreError) in try recorder.save(walk) }
    walks[walk.kind] = walk
  }

  /// The walk as it is to be kept once a chain of its round is done.
  func walk(_ kind: Walk.Kind, past chainID: Int64) -> Walk? {
    guard var walk = walks[kind], var leg = walk.underway, let cursor = cursors[kind] else {
      return nil
    }
    leg.place = max(cursor.place(after: chainID), leg.place)
    leg.steps += 1
    walk.underway = leg
    return walk
  }

  /// When a round is due by its schedule, or because a pass was asked for.
  private func isDue(_ walk: Walk, at now: Timestamp) -> Bool {
    if let requested = board.passRequestedAt, walk.kind != .failures,
      !isSatisfied(walk.kind, since: requested)
    {
      return true
    }
    guard settings.isScheduled else { return false }
    return due(walk) <= now
  }

  private func due(_ walk: Walk) -> Timestamp {
    walk.lastBegunAt.map { $0.adding(interval(walk.kind)) } ?? .distantPast
  }

  /// When the next walk begins by its schedule.
  func nextWalk(after now: Timestamp) -> Timestamp? {
    guard settings.isScheduled else { return nil }
    return walks.values.filter { $0.underway == nil }.map(due).min().map { max($0, now) }
  }

  private func interval(_ kind: Walk.Kind) -> TimeSpan {
    kind == .notifications ? .minutes(settings.everyMinutes) : .days(1)
  }

  /// Whether a walk has seen everything up to a moment.
  func isSatisfied(_ kind: Walk.Kind, since moment: Timestamp) -> Bool {
    let walk = walks[kind]
    let seen = kind == .notifications ? walk?.coveredUntil : walk?.lastFinishedAt
    return seen.map { $0 >= moment } ?? false
  }
}

extension Reconciler {
  /// Whether a walk through notification history will not come to its end soon.
  private func isStuck(_ kind: Walk.Kind) -> Bool {
    isHistoryRefused || restarts[kind]?.isHopeless == true
  }

  /// Whether nothing but such walks is left.
  func isHistoryStuck(_ state: ReconciliationState) -> Bool {
    state.isEmptyButForHistory && !state.historyWalks.isEmpty
      && state.historyWalks.allSatisfy(isStuck)
  }

  private func forgetRestarts(of kind: Walk.Kind) {
    restarts[kind] = nil
    faults.clear(.walk(kind))
    showTrouble()
  }

  /// Reads the next page of Apple's notification history.
  func readPage(_ kind: Walk.Kind) async {
    guard let walk = walks[kind], let leg = walk.underway, let from = leg.from,
      let until = leg.until
    else { return }
    do throws(QuestionFailure) {
      let page = try await questions.notificationHistory(
        from: from, until: until, onlyFailures: kind == .failures, page: leg.page, .normal)
      isHistoryRefused = false
      var trail =
        trails[kind] ?? PageTrail(.notificationHistory, at: leg.page, pages: leg.steps)
      do throws(QuestionFailure) {
        _ = try trail.next(page)
      } catch {
        await keep(page)
        throw error
      }
      await take(page, of: walk, along: trail)
    } catch {
      await give(up: error, on: walk)
    }
  }

  private func take(
    _ page: NotificationHistoryPage, of walk: Walk, along trail: PageTrail
  ) async {
    let now = clock.now()
    let items = await verified(page.entries, at: now)
    var next = walk
    next.underway?.steps += 1
    next.underway?.page = page.next
    if page.next == nil { next.finish(at: now) }
    let (kept, scope) = (next, scope)
    do throws(StoreError) {
      let gaps = try await ledger.committed { (recorder) throws(StoreError) in
        let gaps = try recorder.takeHistory(items, in: scope, at: now)
        try recorder.save(kept)
        return gaps
      }
      walks[walk.kind] = kept
      trails[walk.kind] = kept.underway == nil ? nil : trail
      if kept.underway == nil { forgetRestarts(of: walk.kind) }
      tell(gaps)
      expectGrowth(isOver: kept.underway == nil, at: now)
    } catch {
      note(error, at: now)
    }
  }

  /// Keeps what a page holds that leads nowhere; the walk comes by it again.
  private func keep(_ page: NotificationHistoryPage) async {
    let now = clock.now()
    let items = await verified(page.entries, at: now)
    let scope = scope
    do throws(StoreError) {
      tell(
        try await ledger.committed { (recorder) throws(StoreError) in
          try recorder.takeHistory(items, in: scope, at: now)
        })
    } catch {
      note(error, at: now)
    }
  }

  private func tell(_ gaps: Int) {
    count { progress in
      progress.pages += 1
      progress.done += 1
      progress.gaps += Int64(gaps)
    }
    guard gaps > 0 else { return }
    log.write(
      LogLine(.warning, "gapsFound").with("app", scope.bundleId)
        .with("environment", scope.environment.rawValue).with("gaps", Int64(gaps)))
  }

  /// What no repeat would mend begins the walk anew, after a rest; everything else waits.
  private func give(up failure: QuestionFailure, on walk: Walk) async {
    let now = clock.now()
    let failure = judged(failure, on: walk, at: now)
    var walk = walk
    switch failure {
    case .pageExpired, .endlessPages, .startRefused, .refused, .notFound:
      restarts[walk.kind, default: WalkRestarts()].add(at: now)
      note(failure, on: .notificationHistory, of: .walk(walk.kind), at: now)
    case .clocksDiffer:
      isHistoryRefused = true
      note(failure, on: .notificationHistory, at: now)
    case .limited, .unauthorized, .unavailable, .unproved, .cancelled:
      return note(failure, on: .notificationHistory, at: now)
    }
    walk.restart(at: now)
    trails[walk.kind] = nil
    do throws(StoreError) {
      try await save(walk)
    } catch {
      note(error, at: now)
    }
  }

  /// A window that has become too old on the way begins anew; one that is young enough by our clock
  /// would be refused again and again.
  private func judged(
    _ failure: QuestionFailure, on walk: Walk, at now: Timestamp
  ) -> QuestionFailure {
    // It is no question about a transaction.
    if case .notFound(let code) = failure {
      return .refused(code: code, detail: "no notification history is found")
    }
    guard case .startRefused = failure, let from = walk.underway?.from,
      from >= now.subtracting(Walk.reach(scope.environment))
    else { return failure }
    return .clocksDiffer
  }

  /// Checks signatures, away from what the actor has to do meanwhile.
  private nonisolated func verified(
    _ entries: [NotificationHistoryPage.Entry], at now: Timestamp
  ) async -> [HistoryItem] {
    entries.compactMap { answers.historyItem($0, at: now) }
  }
}
