import AppStoreModel

extension Engine {
  /// Records what is known, shows it, and tells what changed.
  func publish(_ takings: [Holdings.Taking]) {
    let now = clock.now
    save(at: now)
    var events = takings.compactMap(EntitlementChange.init)
    if let cacheProblem { events.append(.cacheIgnored(cacheProblem)) }
    cacheProblem = nil
    board.show(holdings, since: shown, events, at: now)
    shown = holdings.entitlements(at: now)
    setAlarm(at: now)
  }

  /// Writes the cache where anything but the time has changed.
  private func save(at now: Timestamp) {
    let file = holdings.cacheFile(at: now)
    var undated = file
    undated.savedAtMs = lastFile?.savedAtMs ?? file.savedAtMs
    undated.latestSeenMs = lastFile?.latestSeenMs ?? file.latestSeenMs
    guard undated != lastFile else { return }
    do throws(CacheProblem) {
      try cache.write(file.bytes())
      lastFile = file
    } catch {
      cacheProblem = error
    }
  }

  /// Wakes at the next moment at which time alone changes an answer, and looks at the store then.
  private func setAlarm(at now: Timestamp) {
    alarm?.cancel()
    alarm = nil
    guard let moment = holdings.nextChange(after: now) else { return }
    let span = max(.zero, moment.span(since: holdings.clock.now(now)))
    let clock = clock
    alarm = Task { [weak self] in
      await clock.sleep(span)
      if Task.isCancelled { return }
      await self?.timeHasCome()
    }
  }

  private func timeHasCome() async {
    alarm = nil
    holdings.seeClock(clock.now)
    publish([])
    await read()
  }
}
