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
      case .done: return
      case .unknown: continue
      case .putOff(let failure): return await putOff(row, failure)
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
    case refused(String)
  }

  private func walk(
    _ row: WaitingImportRow, _ importer: Importer, from revision: String?
  ) async -> RowOutcome {
    do throws(QuestionFailure) {
      if row.environment != importer.answers.scope.environment {
        if let outcome = try await claim(row, importer) { return outcome }
      }
      var revision = revision
      while true {
        budget.spend(1, on: .transactionHistory, at: clock.now())
        let page = try await importer.questions.transactionHistory(
          of: row.row.transactionId, revision: revision, .normal)
        noteAnswer()
        guard await keep(page, of: row, importer) else { return .putOff(Self.storeTrouble) }
        guard page.hasMore else { break }
        revision = page.revision
      }
      return try await finish(row, importer)
    } catch .notFound {
      return .unknown
    } catch .pageExpired {
      return .putOff(.pageExpired)
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
    guard let (delivery, copy) = importer.answers.transaction(text, channel: .import, at: now),
      copy.transactionId == row.row.transactionId, let original = copy.originalTransactionId
    else { return .refused("Apple's answer about the transaction is not to be believed") }
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

  private static func customer(
    of row: WaitingImportRow, in importer: Importer
  ) -> CustomerKey? {
    CustomerID(row.row.customer).map { CustomerKey(scope: importer.answers.scope, id: $0) }
  }

  /// Keeps a page, and links what is on it: one Apple Account bought it all.
  ///
  /// What somebody else owns already, by its own token or an earlier link, stays theirs.
  private func keep(
    _ page: TransactionPage, of row: WaitingImportRow, _ importer: Importer
  ) async -> Bool {
    let now = clock.now()
    let found = await importer.read(page, at: now)
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
          row.id, environment: environment, revision: page.revision)
      }
      return true
    } catch {
      note(error, at: now)
      return false
    }
  }

  /// Asks for the statuses, which who never subscribed has none of.
  private func finish(
    _ row: WaitingImportRow, _ importer: Importer
  ) async throws(QuestionFailure) -> RowOutcome {
    var statuses: [Delivery] = []
    budget.spend(1, on: .statuses, at: clock.now())
    do throws(QuestionFailure) {
      let stated = try await importer.questions.subscriptionStatuses(
        of: row.row.transactionId, .normal)
      statuses = await importer.read(stated, at: clock.now())
    } catch .notFound {
      // One-time purchases alone have no status.
    }
    let kept = statuses
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in kept { _ = try recorder.record(delivery) }
        try recorder.finishImportRow(row.id)
      }
      count { $0.done += 1 }
      return .done
    } catch {
      note(error, at: clock.now())
      return .putOff(Self.storeTrouble)
    }
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
    let isExpired = failure == .pageExpired
    let due: Timestamp
    if case .limited(let until) = failure {
      due = until
    } else {
      due = now.adding(TimeSpan(milliseconds: 5_000 << min(row.tries, 10)))
    }
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        try recorder.putOffImportRow(row.id, until: due, fromStart: isExpired)
      }
    } catch {
      note(error, at: now)
    }
  }
}

/// What a page of a history holds.
private struct Found: Sendable {
  var deliveries: [Delivery] = []
  /// Each chain once, in the order of the page.
  var originals: [String] = []
}

extension Reconciler.Importer {
  fileprivate func read(_ page: TransactionPage, at now: Timestamp) async -> Found {
    var found = Found()
    for text in page.signedTransactions {
      guard let (delivery, copy) = answers.transaction(text, channel: .import, at: now) else {
        continue
      }
      found.deliveries.append(delivery)
      if let original = copy.originalTransactionId, !found.originals.contains(original) {
        found.originals.append(original)
      }
    }
    return found
  }

  fileprivate func read(_ stated: [StatedStatus], at now: Timestamp) async -> [Delivery] {
    stated.compactMap { answers.status($0, channel: .import, at: now)?.delivery }
  }
}
