import AppStoreModel

/// What to do after an attempt.
enum NextStep: Hashable, Sendable {
  case done([UInt8])
  case fail(AppStoreServerError)
  case repeatAfter(TimeSpan, because: AppStoreServerError)
  /// The endpoint rests for everyone, and the call asks again afterwards.
  case pause(until: Timestamp)
  /// The token was refused: take a fresh one, and correct the clock by this if it is known.
  case renewToken(skew: TimeSpan?)
  /// A fresh token was refused too.
  case refuseToken
}

/// One call through its attempts: decides, and does nothing itself.
struct CallProgress: Sendable {
  private let endpoint: Endpoint
  private let policy: RetryPolicy
  /// A token of another key would be refused again: known from a call shortly before.
  private let mayRenewToken: Bool
  private var attempts = 0
  private var hasRenewedToken = false

  init(_ endpoint: Endpoint, _ policy: RetryPolicy, mayRenewToken: Bool = true) {
    self.endpoint = endpoint
    self.policy = policy
    self.mayRenewToken = mayRenewToken
  }

  mutating func next(
    after outcome: Result<HTTPAnswer, TransportFailure>, now: Timestamp,
    using chance: inout any RandomNumberGenerator & Sendable
  ) -> NextStep {
    switch outcome {
    case .failure(.cancelled): return .fail(.cancelled)
    case .failure(let failure): return after(failure, &chance)
    case .success(let answer) where answer.isSuccess: return .done(answer.body)
    case .success(let answer): return after(answer, now, &chance)
    }
  }

  /// After an answer of success that cannot be read.
  mutating func next(
    afterUnreadable error: AppStoreServerError,
    using chance: inout any RandomNumberGenerator & Sendable
  ) -> NextStep {
    // It was a success: what must not happen twice has happened.
    endpoint.mayBeRepeated ? again(error, &chance) : .fail(error)
  }

  private mutating func after(
    _ failure: TransportFailure, _ chance: inout any RandomNumberGenerator & Sendable
  ) -> NextStep {
    if failure.mayHaveArrived, !endpoint.mayBeRepeated { return .fail(.outcomeUnknown(failure)) }
    return again(.unreachable(failure), &chance)
  }

  private mutating func after(
    _ answer: HTTPAnswer, _ now: Timestamp,
    _ chance: inout any RandomNumberGenerator & Sendable
  ) -> NextStep {
    let error = answer.refusal
    if answer.status == 401 { return afterRefusedToken(answer) }
    if answer.status == 429 || error.code == .rateLimitExceeded {
      return .pause(until: RetryAfter.moment(answer.retryAfter, now: now, skew: answer.skew))
    }
    if !endpoint.mayBeRepeated, isDoubtful(error) { return .fail(error) }
    // It is the caller who knows how long a test notification may take.
    return error.code == .testNotificationNotFound ? .fail(error) : again(error, &chance)
  }

  /// Whether something may have happened in spite of the error.
  private func isDoubtful(_ error: AppStoreServerError) -> Bool {
    switch error {
    case .refused(let refusal): refusal.status >= 500 && refusal.code != .generalInternalRetryable
    default: true
    }
  }

  private mutating func afterRefusedToken(_ answer: HTTPAnswer) -> NextStep {
    guard mayRenewToken, !hasRenewedToken else { return .refuseToken }
    hasRenewedToken = true
    return .renewToken(skew: answer.skew)
  }

  private mutating func again(
    _ error: AppStoreServerError, _ chance: inout any RandomNumberGenerator & Sendable
  ) -> NextStep {
    attempts += 1
    guard isRepeatable(error), attempts < policy.mostAttempts else { return .fail(error) }
    return .repeatAfter(policy.delay(afterAttempts: attempts, using: &chance), because: error)
  }

  private func isRepeatable(_ error: AppStoreServerError) -> Bool {
    if case .unreachable(let failure) = error { return failure.isTransient }
    return error.isTransient
  }
}
