import AppStoreModel
import EntitlementLedger
import LedgerStorage

extension Reconciler {
  /// Walks the history of an imported purchase and links it, in the environment that knows it.
  func walkHistory(of row: WaitingImportRow) async {
    let places = importers.filter {
      row.environment == nil || $0.answers.scope.environment == row.environment
    }
    for importer in places {
      let isFirst = importer.answers.scope.environment == row.environment
      switch await walk(row, importer, from: isFirst ? row.revision : nil) {
      case .done:
        importRestarts[row.id] = nil
        return
      case .unknown: continue
      case .beginAnew(let failure): return await beginAnew(row, failure)
      case .putOff(let failure): return await putOff(row, failure)
      case .unusable(let failure): return await refuse(row, failure)
      case .refused(let reason): return await refuse(row, reason)
      }
    }
    let names = importers.map(\.answers.scope.environment.rawValue).joined(separator: " and ")
    await refuse(row, "Apple knows no such transaction of this app in \(names)")
  }

  private enum RowOutcome {
    case done
    /// Not in this environment.
    case unknown
    case putOff(QuestionFailure)
    /// Its pages lead nowhere.
    case beginAnew(QuestionFailure)
    /// What Apple answered is not to be believed.
    case unusable(QuestionFailure)
    case refused(String)
  }

  private func walk(
    _ row: WaitingImportRow, _ importer: Importer, from revision: String?
  ) async -> RowOutcome {
    do throws(QuestionFailure) {
      if row.environment != importer.answers.scope.environment {
        if let outcome = try await claim(row, importer) { return outcome }
      }
      var reading = HistoryReading(.transactionHistory, after: revision)
      repeat {
        budget.spend(1, on: .transactionHistory, at: clock.now())
        let page = try await importer.questions.transactionHistory(
          of: row.row.transactionId, revision: reading.next, .normal)
        noteAnswer()
        let found = await importer.read(page, at: clock.now())
        await setAside(found.refused)
        let passed = Result { () throws(QuestionFailure) in try reading.pass(page, found.fault) }
        guard await keep(found, of: row, importer, upTo: reading.kept) else {
          return .putOff(Self.storeTrouble)
        }
        try passed.get()
      } while reading.next != nil
      return try await finish(row, importer, reading.fault)
    } catch .notFound {
      return .unknown
    } catch .pageExpired {
      return .beginAnew(.pageExpired)
    } catch .endlessPages(let detail) {
      return .beginAnew(.endlessPages(detail: detail))
    } catch .unproved(let detail) {
      return .unusable(.unproved(detail: detail))
    } catch .refused(let code, let detail) {
      return .refused("Apple refused the question\(code.map { " (\($0))" } ?? ""): \(detail)")
    } catch {
      return .putOff(error)
    }
  }

  private static let storeTrouble = QuestionFailure.unavailable(detail: "the store")

  /// Links the line's own purchase, before anything that its history brings along.
  ///
  /// - Returns: Why its history is not walked; `nil` where it is.
  private func claim(
    _ row: WaitingImportRow, _ importer: Importer
  ) async throws(QuestionFailure) -> RowOutcome? {
    budget.spend(1, on: .transactionInfo, at: clock.now())
    let text = try await importer.questions.transactionInfo(of: row.row.transactionId, .normal)
    noteAnswer()
    guard let customer = Self.customer(of: row, in: importer) else {
      return .refused("the customer is empty")
    }
    let now = clock.now()
    let (delivery, copy) = try await believed { () throws(UnprovedAnswer) in
      try importer.answers.transaction(
        text, of: row.row.transactionId, channel: .import, at: now)
    }
    guard let original = copy.originalTransactionId else {
      throw .unproved(detail: "it names no original transaction")
    }
    do throws(StoreError) {
      let (outcome, rival) = try await ledger.committed { (recorder) throws(StoreError) in
        _ = try recorder.record(delivery)
        let outcome = try recorder.link(original, to: customer, note: "import", now: now)
        if case .done = outcome {
          try recorder.advanceImportRow(
            row.id, environment: customer.scope.environment, revision: nil)
        }
        return (outcome, try recorder.rival(of: row, about: original, in: customer.scope))
      }
      switch outcome {
      case .done: return nil
      case .refused(let refusal): return .refused(refusal.importReason(line: rival))
      case .unknownPurchase, .notLinked:
        return .refused("Apple's answer about the transaction cannot be used")
      }
    } catch {
      note(error, at: now)
      return .putOff(Self.storeTrouble)
    }
  }

  private func believed<Value: Sendable>(
    _ answer: () throws(UnprovedAnswer) -> Value
  ) async throws(QuestionFailure) -> Value {
    do throws(UnprovedAnswer) {
      return try answer()
    } catch {
      await setAside(error.items)
      throw error.failure
    }
  }

  private static func customer(
    of row: WaitingImportRow, in importer: Importer
  ) -> CustomerKey? {
    CustomerID(row.row.customer).map { CustomerKey(scope: importer.answers.scope, id: $0) }
  }

  /// Keeps a page, and links what is on it: one Apple Account bought it all.
  ///
  /// What somebody else owns already, by its own token or an earlier link, stays theirs.
  private func keep(
    _ found: Found, of row: WaitingImportRow, _ importer: Importer, upTo revision: String?
  ) async -> Bool {
    let now = clock.now()
    let customer = Self.customer(of: row, in: importer)
    let environment = importer.answers.scope.environment
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in found.deliveries { _ = try recorder.record(delivery) }
        for original in found.originals {
          guard let customer else { break }
          _ = try recorder.link(original, to: customer, note: "import", now: now)
        }
        try recorder.advanceImportRow(
          row.id, environment: environment, revision: revision)
      }
      return true
    } catch {
      note(error, at: now)
      return false
    }
  }

  /// Asks for the statuses, which who never subscribed has none of.
  private func finish(
    _ row: WaitingImportRow, _ importer: Importer, _ fault: QuestionFailure?
  ) async throws(QuestionFailure) -> RowOutcome {
    var statuses: [Delivery] = []
    var fault = fault
    budget.spend(1, on: .statuses, at: clock.now())
    do throws(QuestionFailure) {
      let stated = try await importer.questions.subscriptionStatuses(
        of: row.row.transactionId, .normal)
      let answers = await importer.read(stated, at: clock.now())
      await setAside(answers.refused)
      statuses = answers.deliveries
      fault = fault ?? answers.fault
    } catch .notFound {
      // One-time purchases alone have no status.
    }
    let (kept, isWhole) = (statuses, fault == nil)
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in kept { _ = try recorder.record(delivery) }
        if isWhole { try recorder.finishImportRow(row.id) }
      }
      if let fault { return .unusable(fault) }
      count { $0.done += 1 }
      return .done
    } catch {
      note(error, at: clock.now())
      return .putOff(Self.storeTrouble)
    }
  }

  /// Reads a history from its start after a rest, and refuses the line where that helps nothing.
  private func beginAnew(_ row: WaitingImportRow, _ failure: QuestionFailure) async {
    let now = clock.now()
    var restarts = importRestarts[row.id] ?? WalkRestarts()
    restarts.add(at: now)
    guard !restarts.isHopeless else {
      importRestarts[row.id] = nil
      return await refuse(row, failure)
    }
    importRestarts[row.id] = restarts
    note(failure, on: .transactionHistory, at: now)
    await putOff(row, until: restarts.restsUntil, fromStart: true)
  }

  /// What was read and believed stays; imported again the line's history is read from its start.
  private func refuse(_ row: WaitingImportRow, _ failure: QuestionFailure) async {
    note(failure, on: .transactionHistory, at: clock.now())
    await refuse(row, "\(failure.description): import the line again")
  }

  private func refuse(_ row: WaitingImportRow, _ reason: String) async {
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        try recorder.refuseImportRow(row.id, reason)
      }
      count { $0.done += 1 }
    } catch {
      note(error, at: clock.now())
    }
  }

  /// Nothing is lost: the line waits, longer each time.
  private func putOff(_ row: WaitingImportRow, _ failure: QuestionFailure) async {
    let now = clock.now()
    note(failure, on: .transactionHistory, at: now)
    if case .cancelled = failure { return }
    let due: Timestamp
    if case .limited(let until) = failure {
      due = until
    } else {
      due = now.adding(TimeSpan(milliseconds: 5_000 << min(row.tries, 10)))
    }
    await putOff(row, until: due, fromStart: false)
  }

  private func putOff(
    _ row: WaitingImportRow, until due: Timestamp, fromStart: Bool
  ) async {
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        try recorder.putOffImportRow(row.id, until: due, fromStart: fromStart)
      }
    } catch {
      note(error, at: clock.now())
    }
  }
}

/// What a page of a history holds.
private struct Found: Sendable {
  var deliveries: [Delivery] = []
  /// Each chain once, in the order of the page.
  var originals: [String] = []
  /// What is kept of texts that are not to be believed.
  var refused: [QuarantinedItem] = []
  /// Of the first such text.
  var fault: QuestionFailure?
}

extension Reconciler.Importer {
  fileprivate func read(_ page: TransactionPage, at now: Timestamp) async -> Found {
    var found = Found()
    for text in page.signedTransactions {
      do throws(UnprovedAnswer) {
        let (delivery, copy) = try answers.transaction(text, channel: .import, at: now)
        found.deliveries.append(delivery)
        if let original = copy.originalTransactionId, !found.originals.contains(original) {
          found.originals.append(original)
        }
      } catch {
        found.refused += error.items
        found.fault = found.fault ?? error.failure
      }
    }
    return found
  }

  fileprivate func read(_ stated: [StatedStatus], at now: Timestamp) async -> ProvedAnswers {
    ProvedAnswers(stated) { (stated) throws(UnprovedAnswer) in
      try answers.status(stated, channel: .import, at: now).delivery
    }
  }
}
