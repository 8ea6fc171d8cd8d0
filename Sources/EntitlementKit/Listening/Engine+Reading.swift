import AppStoreModel

extension Engine {
  func readOnce(withHistory: Bool, attempt: Int) async {
    let reading = await look(withHistory: withHistory, attempt: attempt)
    let (verdict, takings) = holdings.accept(reading, at: clock.now)
    keep(
      takings,
      reading.transactions.map(ReportQueue.Text.texts)
        + reading.statuses.map(ReportQueue.Text.texts))
    publish(takings)
    scheduleRetry(after: verdict, of: reading, withHistory: withHistory)
    await report()
    for (index, item) in reading.transactions.enumerated() {
      await settle(item, takings[index], isUnfinished: reading.isUnfinished(index))
    }
    if verdict == .accepted { await askServer() }
  }

  /// Asks the server about what seems to have ended by time alone.
  private func askServer() async {
    guard let secondOpinion else { return }
    for question in holdings.questions(at: clock.now) {
      let answer = await secondOpinion(question)
      holdings.note(answer, to: question, at: clock.now)
      publish([])
    }
  }

  /// First what is listed; then states of the groups that are known; the history only where
  /// something shows that this customer ever owned anything, or a tap asked for it.
  private func look(withHistory: Bool, attempt: Int) async -> Reading {
    var reading = Reading(startedAt: clock.now, attempt: attempt)
    reading.app = try? await connection.appTransaction()
    reading.listed = await connection.currentEntitlements()
    reading.unfinished = await connection.unfinished()
    let isOwner =
      holdings.hasEvidenceOfOwnership || !reading.listed.isEmpty || !reading.unfinished.isEmpty
    if withHistory || isOwner { reading.history = await connection.history() }
    await readStatuses(into: &reading)
    reading.isCancelled = Task.isCancelled
    return reading
  }

  private func readStatuses(into reading: inout Reading) async {
    let seen = reading.transactions.compactMap(\.payload?.subscriptionGroupIdentifier)
    for group in Set(holdings.groups + seen).sorted() {
      do throws(StoreFailure) {
        reading.statuses += try await connection.statuses(ofGroup: group)
      } catch {
        reading.silentGroups.insert(group)
      }
    }
  }

  private func scheduleRetry(
    after verdict: ReadingVerdict, of reading: Reading, withHistory: Bool
  ) {
    retry?.cancel()
    retry = nil
    guard verdict != .accepted || reading.listed.isEmpty,
      reading.attempt < ReadingVerdict.retryDelays.count
    else { return }
    let span = ReadingVerdict.retryDelays[reading.attempt]
    let clock = clock
    // A task of its own, for StoreKit answers nothing in a cancelled one.
    retry = Task { [weak self] in
      await clock.sleep(span)
      if Task.isCancelled { return }
      await self?.readAgain(withHistory: withHistory, attempt: reading.attempt + 1)
    }
  }

  private func readAgain(withHistory: Bool, attempt: Int) async {
    retry = nil
    await read(withHistory: withHistory, attempt: attempt)
  }
}
