import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import LedgerStorage

/// Asks Apple's server API, or a simulated one, on behalf of one app in one environment.
struct AppStoreServerQuestions: AppStoreQuestions {
  private let server: any AppStoreServer
  private let environment: ServerEnvironment
  private let clock: ServerClock

  init(_ server: any AppStoreServer, in environment: ServerEnvironment, clock: ServerClock) {
    self.server = server
    self.environment = environment
    self.clock = clock
  }

  func notificationHistory(
    from start: Timestamp, until end: Timestamp, onlyFailures: Bool, page: String?,
    _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> NotificationHistoryPage {
    let query = NotificationQuery(from: start, to: end, onlyFailures: onlyFailures)
    let options = options(urgency)
    let answer = try await ask { () async throws(AppStoreServerError) in
      try await server.notificationHistory(query, after: page, options)
    }
    return NotificationHistoryPage(
      entries: answer.notifications.map { sent in
        NotificationHistoryPage.Entry(
          signedPayload: sent.signedPayload.text,
          // Apple makes six of them; more, or longer words, are nobody's to keep.
          attempts: sent.sendAttempts.prefix(50).map {
            SendingAttempt(date: $0.attemptDate, result: String($0.result.rawValue.prefix(100)))
          })
      }, next: answer.hasMore ? answer.paginationToken ?? "" : nil)
  }

  func refundHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage {
    let options = options(urgency)
    let answer = try await ask { () async throws(AppStoreServerError) in
      try await server.refundHistory(transactionId, after: revision, options)
    }
    return TransactionPage(answer)
  }

  func transactionHistory(
    of transactionId: String, revision: String?, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> TransactionPage {
    let options = options(urgency)
    let answer = try await ask { () async throws(AppStoreServerError) in
      try await server.transactionHistory(
        transactionId, HistoryQuery(), after: revision, options)
    }
    return TransactionPage(answer)
  }

  func transactionInfo(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> String {
    let options = options(urgency)
    return try await ask { () async throws(AppStoreServerError) in
      try await server.transactionInfo(transactionId, options).text
    }
  }

  func subscriptionStatuses(
    of transactionId: String, _ urgency: QuestionUrgency
  ) async throws(QuestionFailure) -> [StatedStatus] {
    let options = options(urgency)
    let answer = try await ask { () async throws(AppStoreServerError) in
      try await server.subscriptionStatuses(transactionId, only: [], options)
    }
    return answer.groups.flatMap(\.lastTransactions).map { item in
      StatedStatus(
        status: item.status, signedTransaction: item.signedTransactionInfo.text,
        signedRenewal: item.signedRenewalInfo.text)
    }
  }

  private func options(_ urgency: QuestionUrgency) -> CallOptions {
    switch urgency {
    case .urgent: CallOptions(environment, urgency: .urgent)
    case .normal: CallOptions(environment, urgency: .normal)
    case .background: CallOptions(environment, urgency: .background)
    }
  }

  private func ask<Value>(
    _ body: () async throws(AppStoreServerError) -> Value
  ) async throws(QuestionFailure) -> Value {
    do throws(AppStoreServerError) {
      return try await body()
    } catch {
      throw QuestionFailure(error, at: clock.now())
    }
  }
}

extension TransactionPage {
  fileprivate init(_ page: AppStoreServerAPI.TransactionPage) {
    self.init(
      signedTransactions: page.signedTransactions.map(\.text), revision: page.revision,
      hasMore: page.hasMore)
  }
}

extension QuestionFailure {
  init(_ error: AppStoreServerError, at now: Timestamp) {
    switch error {
    case .cancelled: self = .cancelled
    case .budgetSpent(let until), .rateLimited(let until): self = .limited(until: until)
    case .queueFull: self = .limited(until: now.adding(.seconds(5)))
    case .unauthorized(let detail): self = .unauthorized(detail: detail.description)
    case .unknownTransaction:
      self = .notFound(code: AppleErrorCode.transactionIdNotFound.rawValue)
    case .pagingStalled: self = .endlessPages(detail: error.description)
    case .refused(let refusal): self.init(refusal, error, at: now)
    case .badRequest: self = .refused(code: nil, detail: error.description)
    case .unexpectedStatus, .unreadableAnswer, .unreachable, .outcomeUnknown:
      self = .unavailable(detail: error.description)
    }
  }

  private init(_ refusal: AppleRefusal, _ error: AppStoreServerError, at now: Timestamp) {
    switch refusal.code {
    case .invalidPaginationToken, .paginationTokenExpired, .invalidRequestRevision:
      self = .pageExpired
    case .startDateTooFarInPast: self = .startRefused
    case .rateLimitExceeded: self = .limited(until: now.adding(.minutes(1)))
    case let code where code.isNotFound: self = .notFound(code: code.rawValue)
    case let code where code.isTransient: self = .unavailable(detail: error.description)
    case let code: self = .refused(code: code.rawValue, detail: error.description)
    }
  }
}
