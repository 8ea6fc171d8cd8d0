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
    var revision = revision
    var found: Found?
    do throws(QuestionFailure) {
      while true {
        budget.spend(1, on: .transactionHistory, at: clock.now())
        let page = try await importer.questions.transactionHistory(
          of: row.row.transactionId, revision: revision, .normal)
        noteAnswer()
        let part = await importer.read(page, of: row.row.transactionId, at: clock.now())
        found = found?.joined(part) ?? part
        guard await keep(part, page.revision, of: row, importer) else {
          return .putOff(.unavailable(detail: "the store"))
        }
        guard page.hasMore else { break }
        revision = page.revision
      }
      return await finish(row, found, importer)
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

  private func keep(
    _ found: Found, _ revision: String?, of row: WaitingImportRow, _ importer: Importer
  ) async -> Bool {
    let environment = importer.answers.scope.environment
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in found.deliveries { _ = try recorder.record(delivery) }
        try recorder.advanceImportRow(row.id, environment: environment, revision: revision)
      }
      return true
    } catch {
      note(error, at: clock.now())
      return false
    }
  }

  /// Asks for the statuses where there is a subscription, then links.
  private func finish(
    _ row: WaitingImportRow, _ found: Found?, _ importer: Importer
  ) async -> RowOutcome {
    var statuses: [Delivery] = []
    if found?.hasSubscription ?? true {
      budget.spend(1, on: .statuses, at: clock.now())
      do throws(QuestionFailure) {
        let stated = try await importer.questions.subscriptionStatuses(
          of: row.row.transactionId, .normal)
        statuses = await importer.read(stated, at: clock.now())
      } catch .notFound {
        // One-time purchases alone have no status.
      } catch {
        return .putOff(error)
      }
    }
    return await link(row, found?.originalTransactionId, statuses, importer.answers.scope)
  }

  private func link(
    _ row: WaitingImportRow, _ original: String?, _ statuses: [Delivery], _ scope: Scope
  ) async -> RowOutcome {
    let now = clock.now()
    guard let id = CustomerID(row.row.customer) else { return .refused("the customer is empty") }
    let customer = CustomerKey(scope: scope, id: id)
    let chain = original ?? row.row.transactionId
    do throws(StoreError) {
      let outcome = try await ledger.committed { (recorder) throws(StoreError) in
        for delivery in statuses { _ = try recorder.record(delivery) }
        let outcome = try recorder.link(chain, to: customer, note: "import", now: now)
        if case .done = outcome { try recorder.finishImportRow(row.id) }
        return outcome
      }
      switch outcome {
      case .done:
        board.update { $0.done += 1 }
        return .done
      case .refused: return .refused("the purchase belongs to another customer")
      case .unknownPurchase, .notLinked:
        return .refused("Apple's history of this customer does not hold the transaction")
      }
    } catch {
      note(error, at: now)
      return .putOff(.unavailable(detail: "the store"))
    }
  }

  private func refuse(_ row: WaitingImportRow, _ reason: String) async {
    do throws(StoreError) {
      try await ledger.committed { (recorder) throws(StoreError) in
        try recorder.refuseImportRow(row.id, reason)
      }
      board.update { $0.done += 1 }
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

/// What a part of a history holds.
private struct Found: Sendable {
  var deliveries: [Delivery] = []
  /// The chain of the transaction that was asked for.
  var originalTransactionId: String?
  var hasSubscription = false

  func joined(_ later: Found) -> Found {
    Found(
      originalTransactionId: originalTransactionId ?? later.originalTransactionId,
      hasSubscription: hasSubscription || later.hasSubscription)
  }
}

extension Reconciler.Importer {
  fileprivate func read(
    _ page: TransactionPage, of transactionId: String, at now: Timestamp
  ) async -> Found {
    var found = Found()
    for text in page.signedTransactions {
      guard let (delivery, copy) = answers.transaction(text, channel: .import, at: now) else {
        continue
      }
      found.deliveries.append(delivery)
      if copy.transactionId == transactionId {
        found.originalTransactionId = copy.originalTransactionId
      }
      if copy.type == .autoRenewableSubscription { found.hasSubscription = true }
    }
    return found
  }

  fileprivate func read(_ stated: [StatedStatus], at now: Timestamp) async -> [Delivery] {
    stated.compactMap { answers.status($0, channel: .import, at: now)?.delivery }
  }
}
