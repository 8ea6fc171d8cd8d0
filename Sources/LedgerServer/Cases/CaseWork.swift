import AppStoreModel
import AppStoreServerAPI
import EntitlementLedger
import LedgerStorage

/// What is done about a request whose turn it is: the rules, without clock and network.
struct CaseWork: Hashable {
  enum Step: Hashable {
    case write(RequestUpdate)
    case send(CaseAnswer)
  }

  let due: DueRequest
  let policy: Configuration.ConsumptionPolicy
  let isConfigured: Bool

  private var refundCase: RefundCase { due.stored.refundCase }
  private var window: TimeSpan { RefundCase.window(in: refundCase.scope.environment) }

  /// What to do at `now`.
  func step(at now: Timestamp) -> Step {
    if let progress = refundCase.settled(due.request, at: now) {
      // Nothing was missed where nothing was to be said.
      let isMeant = progress == .missed && policy.answer == .none
      return .write(update(isMeant ? .withheld(.policy) : progress))
    }
    if refundCase.isOver(at: now) { return .write(update(due.request.progress)) }
    switch ConsumptionDecision(due, policy, isConfigured: isConfigured) {
    case .send(let answer): return .send(answer)
    case .withhold(let reason):
      return .write(update(.withheld(reason), dueAt: isLasting(reason) ? nil : recheck(after: now)))
    case .invalid(let fault):
      let attempt = AnswerAttempt(
        count: 1, at: now, version: due.request.question.isAdvancedCommerce ? 1 : 2, body: "",
        errorCode: fault.appleCode.map { String($0.rawValue) } ?? "\(fault)",
        errorText: fault.description)
      return .write(update(.withheld(.invalid), attempt))
    }
  }

  /// What Apple's answer, or the lack of one, means for the request.
  ///
  /// - Parameters:
  ///   - answer: What was sent.
  ///   - outcome: The HTTP status of success, or why there is none.
  ///   - now: When that was known.
  /// - Returns: What is written.
  func result(
    of answer: CaseAnswer, _ outcome: Result<Int, AppStoreServerError>, at now: Timestamp
  ) -> RequestUpdate {
    let count = (due.request.attempt?.count ?? 0) + 1
    var attempt = AnswerAttempt(
      count: count, at: now, version: answer.version, body: answer.said)
    let failure: AppStoreServerError
    switch outcome {
    case .success(let status):
      attempt.status = status
      return update(.answered, attempt)
    case .failure(let error): failure = error
    }
    attempt.status = failure.httpStatus
    attempt.errorCode = failure.code.map { String($0.rawValue) }
    attempt.errorText = failure.text
    if failure.isFinalRefusal { return update(.refused, attempt) }
    let next = AnswerSchedule(window: window).next(after: count, at: now, failure.notBefore)
    guard let deadline = refundCase.deadline, now < deadline else {
      return update(.missed, attempt)
    }
    return update(.waiting, attempt, dueAt: min(next, deadline))
  }

  private func update(
    _ progress: ConsumptionRequest.Progress, _ attempt: AnswerAttempt? = nil,
    dueAt: Timestamp? = nil
  ) -> RequestUpdate {
    RequestUpdate(
      position: due.stored.position, notificationUUID: due.request.notificationUUID,
      progress: progress, attempt: attempt, dueAt: dueAt)
  }

  /// Whether only another configuration, or another kind of purchase, could change it.
  private func isLasting(_ reason: Withholding) -> Bool {
    switch reason {
    case .policy, .familyShared, .assigned, .notConfigured, .invalid: true
    case .noConsent, .unknownOwnership, .deliveryUnknown, .shareUnknown: false
    }
  }

  /// Consent may follow from a link, and spend may be recorded late.
  private func recheck(after now: Timestamp) -> Timestamp {
    let next = now.adding(TimeSpan(milliseconds: window.milliseconds / 48))
    return min(next, refundCase.deadline ?? next)
  }
}

/// When to try again: soon at first, then ever more slowly, in step with the time there is.
struct AnswerSchedule: Hashable {
  let window: TimeSpan

  /// The moment of the next attempt after `count` of them.
  ///
  /// In production one minute, doubling to half an hour; in the sandbox 60 times as fast and more.
  func next(after count: Int, at now: Timestamp, _ notBefore: Timestamp?) -> Timestamp {
    let first = window.milliseconds / 720
    let doublings = min(max(0, count - 1), 5)
    let pause = min(first << Int64(doublings), window.milliseconds / 24)
    return max(now.adding(TimeSpan(milliseconds: max(1, pause))), notBefore ?? now)
  }
}

extension AppStoreServerError {
  /// Whether the same answer would be refused again; a key that is refused may be mended in time.
  fileprivate var isFinalRefusal: Bool {
    switch self {
    case .refused(let refusal): !refusal.code.isTransient
    case .badRequest, .unknownTransaction: true
    default: false
    }
  }

  fileprivate var httpStatus: Int? {
    switch self {
    case .refused(let refusal): refusal.status
    case .unexpectedStatus(let status): status
    case .unauthorized: 401
    case .rateLimited: 429
    case .unknownTransaction: 404
    default: nil
    }
  }

  /// Apple's own words where there are some.
  fileprivate var text: String {
    if case .refused(let refusal) = self, let message = refusal.message { return message }
    return description
  }

  fileprivate var notBefore: Timestamp? {
    switch self {
    case .rateLimited(let until), .budgetSpent(let until): until
    default: nil
    }
  }
}
