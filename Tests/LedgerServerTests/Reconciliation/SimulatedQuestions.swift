import AppStoreModel
import AppStoreSimulator
import LedgerStorage
import Synchronization

@testable import LedgerServer

/// Answers for a simulated App Store, and fails where it is told to.
final class SimulatedQuestions: AppStoreQuestions {
  /// What it is asked.
  enum Kind: String, Hashable {
    case notifications, failures, refunds, history, info, statuses
  }

  struct State {
    var stage: Stage
    /// By notification: what became of sending it; success unless stated.
    var attempts: [String: [SendingAttempt]] = [:]
    /// Given in place of the next answers to questions of a kind; `nil` lets one pass.
    var failures: [Kind: [QuestionFailure?]] = [:]
    /// Every question, in order.
    var asked: [(kind: Kind, id: String)] = []
    var underway = 0
    var mostUnderway = 0
    var pageSize = 20
    /// Tokens of the next page that are answered instead of the right ones, again and again.
    var misleading: [Kind: [String]] = [:]
    /// Whose answers another authority signs.
    var forged: Set<Kind> = []
    /// Pages that are answered before the process is "killed".
    var pagesLeft = Int.max
  }

  let state: Mutex<State>
  private let signer: NotificationSigner
  private let forger = NotificationSigner(JWSSigner(CertificateAuthority(seed: 2)))

  init(_ stage: Stage, _ signer: NotificationSigner) {
    state = Mutex(State(stage: stage))
    self.signer = signer
  }

  func change(_ body: (inout State) throws -> Void) rethrows {
    try state.withLock { state in try body(&state) }
  }

  func count(_ kind: Kind) -> Int {
    state.withLock { $0.asked.count { $0.kind == kind } }
  }

  func asked(_ kind: Kind) -> [String] {
    state.withLock { $0.asked.filter { $0.kind == kind }.map(\.id) }
  }

  func notificationHistory(
    from start: Timestamp, until end: Timestamp, onlyFailures: Bool, page: String?,
    _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> NotificationHistoryPage {
    let kind: Kind = onlyFailures ? .failures : .notifications
    return try await answer(kind, page ?? "") { [self] state throws(QuestionFailure) in
      guard state.pagesLeft > 0 else { throw .cancelled }
      state.pagesLeft -= 1
      let all = state.stage.store.notifications.filter { notification in
        guard let signed = notification.payload.signedDate, signed >= start, signed < end else {
          return false
        }
        let attempts = state.attempts[notification.payload.notificationUUID ?? ""]
        return !onlyFailures || (attempts.map { $0.last?.result != "SUCCESS" } ?? false)
      }
      let place = page.flatMap { Int($0) } ?? 0
      let shown = all.dropFirst(place).prefix(state.pageSize)
      let next = place + shown.count
      return NotificationHistoryPage(
        entries: shown.map { notification in
          NotificationHistoryPage.Entry(
            signedPayload: signer.sign(notification),
            attempts: state.attempts[notification.payload.notificationUUID ?? ""] ?? [
              SendingAttempt(date: notification.payload.signedDate, result: "SUCCESS")
            ])
        }, next: misled(kind, state) ?? (next < all.count ? String(next) : nil))
    }
  }

  func refundHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage {
    try await answer(.refunds, "\(transactionId) \(revision ?? "-")") {
      [self] state throws(QuestionFailure) in
      guard let customer = state.stage.store.customer(of: transactionId) else {
        throw .notFound(code: 4_040_010)
      }
      return page(of: state.stage.store.refunds(of: customer), from: revision, .refunds, state)
    }
  }

  private func signer(_ kind: Kind, _ state: State) -> NotificationSigner {
    state.forged.contains(kind) ? forger : signer
  }

  private func misled(_ kind: Kind, _ state: State) -> String? {
    guard let tokens = state.misleading[kind], !tokens.isEmpty else { return nil }
    let asked = state.asked.count { $0.kind == kind }
    return tokens[(asked - 1) % tokens.count]
  }

  private func page(
    of all: [SimulatedTransaction], from revision: String?, _ kind: Kind, _ state: State
  ) -> TransactionPage {
    let (stage, signer, misled) = (state.stage, signer(kind, state), misled(kind, state))
    let place = revision.flatMap { Int($0) } ?? 0
    let shown = all.dropFirst(place).prefix(20)
    return TransactionPage(
      signedTransactions: shown.compactMap { transaction in
        stage.store.copy(of: transaction.payload.transactionId ?? "", signedAt: stage.now)
          .map(signer.sign)
      }, revision: misled ?? String(place + shown.count),
      hasMore: misled != nil || place + shown.count < all.count)
  }

  func transactionHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage {
    try await answer(.history, "\(transactionId) \(revision ?? "-")") {
      [self] state throws(QuestionFailure) in
      guard let customer = state.stage.store.customer(of: transactionId) else {
        throw .notFound(code: 4_040_010)
      }
      return page(of: state.stage.store.history(of: customer), from: revision, .history, state)
    }
  }

  func transactionInfo(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> String {
    try await answer(.info, transactionId) { [self] state throws(QuestionFailure) in
      guard
        let copy = state.stage.store.copy(of: transactionId, signedAt: state.stage.now)
      else { throw .notFound(code: 4_040_010) }
      return signer(.info, state).sign(copy)
    }
  }

  func subscriptionStatuses(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> [StatedStatus] {
    try await answer(.statuses, transactionId) { [self] state throws(QuestionFailure) in
      let signer = signer(.statuses, state)
      let (store, now) = (state.stage.store, state.stage.now)
      guard let customer = store.customer(of: transactionId) else {
        throw .notFound(code: 4_040_010)
      }
      return store.subscriptions(of: customer).compactMap { subscription in
        guard let copy = store.lastTransaction(of: subscription, signedAt: now) else {
          return nil
        }
        return StatedStatus(
          status: store.status(of: subscription, at: now),
          signedTransaction: signer.sign(copy),
          signedRenewal: store.renewalInfo(
            of: subscription.originalTransactionId, signedAt: now
          ).map(signer.sign))
      }
    }
  }

  private func answer<Value: Sendable>(
    _ kind: Kind, _ id: String,
    _ body: (inout State) throws(QuestionFailure) -> Value
  ) async throws(QuestionFailure) -> Value {
    begin(kind, id)
    defer { state.withLock { $0.underway -= 1 } }
    await Task.yield()
    let result: Result<Value, QuestionFailure> = state.withLock { state in
      if let failure = state.failures[kind]?.first {
        state.failures[kind]?.removeFirst()
        if let failure { return .failure(failure) }
      }
      return answer(&state, body)
    }
    return try result.get()
  }

  private func answer<Value>(
    _ state: inout State, _ body: (inout State) throws(QuestionFailure) -> Value
  ) -> Result<Value, QuestionFailure> {
    do throws(QuestionFailure) {
      return .success(try body(&state))
    } catch {
      return .failure(error)
    }
  }

  private func begin(_ kind: Kind, _ id: String) {
    state.withLock { state in
      state.asked.append((kind, id))
      state.underway += 1
      state.mostUnderway = max(state.mostUnderway, state.underway)
    }
  }
}
