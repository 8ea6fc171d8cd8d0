import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// What came of asking about one chain.
private struct ChainReply: Sendable {
  var deliveries: [Delivery] = []
  var outcome = ChainQuestion.Outcome.answered
  /// What kept Apple from answering the rest.
  var failure: QuestionFailure?
  var endpoint = QuestionEndpoint.statuses
  /// What it answered and nobody can use.
  var fault: QuestionFailure?
  var isAsked = false
}

extension Reconciler {
  /// Asks about a chain that is on the list.
  func askAbout(_ question: ChainQuestion) async {
    let now = clock.now()
    guard let (chain, isDoubtful) = known(question.chainID, at: now) else { return }
    if question.rank == .doubt, !isDoubtful {
      return await take(
        ChainReply(), question.chainID, .doubt, tries: 0, walk: nil)
    }
    let asked = ChainQuestions(chain, rank: question.rank, at: now)
    let reply = await ask(asked, question.rank <= .revocation ? .urgent : .normal)
    if reply.failure.map(concernsEverything) == true, reply.deliveries.isEmpty {
      return settle(reply, of: question.chainID, at: now)
    }
    await take(
      reply, question.chainID, question.rank, tries: question.tries + 1, walk: nil)
  }

  /// Asks about a chain that the general round has come to.
  func askInRound(_ chainID: Int64) async {
    let now = clock.now()
    let begun = walks[.rest]?.underway?.begunAt ?? now
    guard let (chain, isDoubtful) = known(chainID, at: now) else {
      cursors[.rest]?.giveBack(chainID)
      return
    }
    let asked = ChainQuestions(
      chain, rank: isDoubtful ? .doubt : .rest, since: begun, at: now)
    let reply = asked.isEmpty ? ChainReply() : await ask(asked, .background)
    guard reply.failure.map(concernsEverything) != true else {
      settle(reply, of: chainID, at: now)
      await keep(reply.deliveries)
      cursors[.rest]?.giveBack(chainID)
      return
    }
    await take(reply, chainID, .rest, tries: 1, walk: .rest)
  }

  /// Keeps what Apple answered before it stopped: the next time only the rest is asked.
  private func keep(_ deliveries: [Delivery]) async {
    guard !deliveries.isEmpty else { return }
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in deliveries { _ = try recorder.record(delivery) }
      }
    } catch {
      note(error, at: clock.now())
    }
  }

  private func known(
    _ chainID: Int64, at now: Timestamp
  ) -> (chain: Chain, isDoubtful: Bool)? {
    do throws(StoreError) {
      return try store { (recorder) throws(StoreError) in
        try recorder.chainInDoubt(chainID, at: now)
      }
    } catch {
      note(error, at: now)
      return nil
    }
  }

  /// Whether Apple would answer no other question either.
  private func concernsEverything(_ failure: QuestionFailure) -> Bool {
    switch failure {
    case .limited, .unauthorized, .cancelled: true
    case .notFound, .pageExpired, .endlessPages, .startRefused, .clocksDiffer, .unproved,
      .unavailable, .refused:
      false
    }
  }

  /// Asks for statuses and transactions, and stops where Apple stops answering.
  private func ask(_ asked: ChainQuestions, _ urgency: QuestionUrgency) async -> ChainReply {
    var reply = ChainReply()
    reply.isAsked = true
    let original = asked.key.originalTransactionId
    if asked.asksStatuses {
      budget.spend(1, on: .statuses, at: clock.now())
      do throws(QuestionFailure) {
        let stated = try await questions.subscriptionStatuses(of: original, urgency)
        reply.take(await verified(stated))
      } catch {
        reply.note(error)
      }
    }
    for id in asked.transactionIds where reply.failure == nil {
      budget.spend(1, on: .transactionInfo, at: clock.now())
      reply.endpoint = .transactionInfo
      do throws(QuestionFailure) {
        let text = try await questions.transactionInfo(of: id, urgency)
        reply.take(await verified([text], of: id))
      } catch {
        reply.note(error)
      }
    }
    return reply
  }

  private func take(
    _ reply: ChainReply, _ chainID: Int64, _ rank: QuestionRank, tries: Int64,
    walk kind: Walk.Kind?
  ) async {
    let now = clock.now()
    settle(reply, of: chainID, at: now)
    let kept = kind.flatMap { walk($0, past: chainID) }
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        try recorder.takeAnswers(
          reply.deliveries, about: chainID, rank, reply.outcome, tries: tries, at: now)
        if let kept { try recorder.save(kept) }
      }
      if let kept { advance(kept, past: chainID) }
      tell(reply, inRound: kind == .rest)
    } catch {
      if let kind { cursors[kind]?.giveBack(chainID) }
      note(error, at: now)
    }
  }

  /// Moves a round on, once it is durable.
  func advance(_ walk: Walk, past chainID: Int64) {
    cursors[walk.kind]?.finish(chainID)
    // Other workers may have moved it meanwhile: steps are counted, and the place is the cursor's.
    walks[walk.kind]?.underway?.steps += 1
    walks[walk.kind]?.underway?.place = cursors[walk.kind]?.place ?? 0
  }

  private func tell(_ reply: ChainReply, inRound: Bool) {
    count { progress in
      progress.asked += 1
      progress.done += 1
      if reply.outcome == .notFound { progress.notFound += 1 }
      if reply.outcome == .failed { progress.failed += 1 }
      if inRound { progress.left.finishRest() } else { progress.left.finishQuestion() }
    }
  }

  /// Notes whether Apple answered, and whether that was of use.
  private func settle(_ reply: ChainReply, of chainID: Int64, at now: Timestamp) {
    if let failure = reply.failure {
      note(failure, on: reply.endpoint, at: now)
    } else if let fault = reply.fault {
      note(fault, on: reply.endpoint, of: .chain(chainID), at: now)
    } else if reply.isAsked {
      faults.clear(.chain(chainID))
      noteAnswer()
    }
  }

  private nonisolated func verified(_ stated: [StatedStatus]) async -> ProvedAnswers {
    let now = clock.now()
    return await settingAside(
      ProvedAnswers(stated) { (stated) throws(UnprovedAnswer) in
        try answers.status(stated, channel: .poll, at: now).delivery
      })
  }

  private nonisolated func verified(
    _ texts: [String], of id: String? = nil
  ) async -> ProvedAnswers {
    let now = clock.now()
    return await settingAside(
      ProvedAnswers(texts) { (text) throws(UnprovedAnswer) in
        try answers.transaction(text, of: id, channel: .poll, at: now).delivery
      })
  }

  private nonisolated func settingAside(_ answers: ProvedAnswers) async -> ProvedAnswers {
    await setAside(answers.refused)
    return answers
  }
}

extension ChainReply {
  mutating func take(_ answers: ProvedAnswers) {
    deliveries += answers.deliveries
    guard let fault = answers.fault else { return }
    self.fault = fault
    outcome = .failed
  }

  mutating func note(_ error: QuestionFailure) {
    if case .notFound = error {
      if fault == nil { outcome = .notFound }
    } else {
      outcome = .failed
      failure = error
    }
  }
}

extension Reconciler {
  /// Reads what is new in the refund history of a chain's customer: a hint, whose copies speak for
  /// themselves.
  func readRefunds(of chainID: Int64) async {
    let now = clock.now()
    guard let begun = walks[.refunds]?.underway?.begunAt,
      let (chain, _) = known(chainID, at: now)
    else {
      cursors[.refunds]?.giveBack(chainID)
      return
    }
    let customer = chain.transactions.values.compactMap(\.newest.appTransactionId).min()
    let asked = customer ?? chain.key.originalTransactionId
    let read = try? store { (recorder) throws(StoreError) in
      try recorder.refundRevision(of: asked, in: scope)
    }
    if let askedAt = read?.askedAt, askedAt >= begun {
      return await finishRefunds(chainID)
    }
    guard refundReaders[asked] == nil else {
      refundReaders[asked]?.append(chainID)
      return
    }
    refundReaders[asked] = []
    await readRefunds(of: chain, chainID, asked, after: read?.revision)
    for waiting in refundReaders.removeValue(forKey: asked) ?? [] { await readRefunds(of: waiting) }
  }

  private func readRefunds(
    of chain: Chain, _ chainID: Int64, _ asked: String, after known: String?
  ) async {
    var reading = HistoryReading(.refundHistory, after: known)
    do throws(QuestionFailure) {
      repeat {
        let page = try await refunds(chain, reading.next)
        let proved = await verified(page.signedTransactions)
        let passed = Result { () throws(QuestionFailure) in try reading.pass(page, proved.fault) }
        guard await keep(proved.deliveries, asked, upTo: reading.kept) else {
          cursors[.refunds]?.giveBack(chainID)
          return
        }
        try passed.get()
      } while reading.next != nil
      if let fault = reading.fault { throw fault }
      faults.clear(.refunds(asked))
      noteAnswer()
      await finishRefunds(chainID, histories: 1)
    } catch .pageExpired where known != nil {
      await readRefunds(of: chain, chainID, asked, after: nil)
    } catch {
      await giveUpRefunds(error, chainID, asked)
    }
  }

  private func refunds(
    _ chain: Chain, _ revision: String?
  ) async throws(QuestionFailure) -> TransactionPage {
    budget.spend(1, on: .refundHistory, at: clock.now())
    return try await questions.refundHistory(
      of: chain.key.originalTransactionId, revision: revision, .background)
  }

  private func keep(
    _ deliveries: [Delivery], _ asked: String, upTo revision: String?
  ) async -> Bool {
    let (now, scope) = (clock.now(), scope)
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in deliveries { _ = try recorder.record(delivery) }
        try recorder.saveRefundRevision(revision, of: asked, in: scope, at: now)
      }
      return true
    } catch {
      note(error, at: now)
      return false
    }
  }

  private func finishRefunds(_ chainID: Int64, histories: Int64 = 0) async {
    guard let kept = walk(.refunds, past: chainID) else { return }
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in try recorder.save(kept) }
      advance(kept, past: chainID)
      count { progress in
        progress.done += 1
        progress.refundHistories += histories
        progress.left.finishRefunds(histories: histories)
      }
    } catch {
      cursors[.refunds]?.giveBack(chainID)
      note(error, at: clock.now())
    }
  }

  /// A customer whom Apple does not know, or does not tell of, is asked about in the next round.
  private func giveUpRefunds(
    _ failure: QuestionFailure, _ chainID: Int64, _ asked: String
  ) async {
    let now = clock.now()
    if concernsEverything(failure) {
      note(failure, on: .refundHistory, at: now)
      cursors[.refunds]?.giveBack(chainID)
      return
    }
    note(failure, on: .refundHistory, of: failure.isFault ? .refunds(asked) : nil, at: now)
    if failure.isFromStart {
      let scope = scope
      try? await ledger.committed { (recorder) throws(StoreError) in
        try recorder.saveRefundRevision(nil, of: asked, in: scope, at: now)
      }
    }
    if !failure.isNotFound { count { $0.failed += 1 } }
    await finishRefunds(chainID)
  }
}
