import AppStoreModel
import AppStoreVerification
import Synchronization

extension AppStoreServerClient {
  /// Asks, and reads the answer.
  func ask<Answer: Sendable>(
    _ request: APIRequest, _ options: CallOptions,
    _ read: @Sendable (AnswerObject) throws(AppStoreServerError) -> Answer
  ) async throws(AppStoreServerError) -> Answer {
    try await carryOut(request, options) { (answer) throws(AppStoreServerError) in
      try read(try AnswerObject(answer.body))
    }
  }

  /// Asks for something to be done; an answer of success says it all, unless it is somebody else's page.
  ///
  /// - Returns: The HTTP status.
  @discardableResult
  func tell(
    _ request: APIRequest, _ options: CallOptions
  ) async throws(AppStoreServerError) -> Int {
    try await carryOut(request, options) { (answer) throws(AppStoreServerError) in
      // Pages of others come as 200.
      if answer.status != 202, !answer.isBlank { _ = try AnswerObject(answer.body) }
      return answer.status
    }
  }

  private func carryOut<Answer: Sendable>(
    _ request: APIRequest, _ options: CallOptions,
    _ read: @Sendable (HTTPAnswer) throws(AppStoreServerError) -> Answer
  ) async throws(AppStoreServerError) -> Answer {
    let call = RunningCall(self, request, options)
    do throws(AppStoreServerError) {
      return try await call.run(read)
    } catch {
      if error != .cancelled { tell(.failed(error), call.key) }
      throw error
    }
  }
}

/// One call on its way through turns, attempts and rests.
private struct RunningCall: Sendable {
  private let client: AppStoreServerClient
  private let request: APIRequest
  private let options: CallOptions
  private let deadline: Timestamp
  let key: CallBudget.Key

  init(_ client: AppStoreServerClient, _ request: APIRequest, _ options: CallOptions) {
    self.client = client
    self.request = request
    self.options = options
    deadline = client.clock.now().adding(options.patience)
    key = CallBudget.Key(endpoint: request.endpoint, environment: options.environment)
  }

  func run<Answer: Sendable>(
    _ read: @Sendable (HTTPAnswer) throws(AppStoreServerError) -> Answer
  ) async throws(AppStoreServerError) -> Answer {
    var progress = CallProgress(
      request.endpoint,
      RetryPolicy(
        mostAttempts: client.settings.mostAttempts, firstDelay: client.settings.firstDelay),
      mayRenewToken: client.verdict(on: options.environment) == nil)
    while true {
      let (token, outcome) = try await attempt()
      var step = client.decide {
        progress.next(after: outcome, now: client.clock.now(), using: &$0)
      }
      if case .done = step, case .success(let http) = outcome {
        do throws(AppStoreServerError) {
          let answer = try read(http)
          client.forgetVerdict(on: options.environment)
          return answer
        } catch {
          step = client.decide { progress.next(afterUnreadable: error, using: &$0) }
        }
      }
      try await carryOut(step, token)
    }
  }

  /// Waits for a turn and sends once.
  private func attempt() async throws(AppStoreServerError) -> (
    token: String, outcome: Result<HTTPAnswer, TransportFailure>
  ) {
    try await client.budget.waitForTurn(
      key, options.urgency, deadline: options.isSingle ? client.clock.now() : deadline)
    defer { client.budget.finish(key) }
    let now = client.clock.now()
    guard let token = client.mint.token(now: now) else {
      throw .unreachable(.unavailable)
    }
    let rest = deadline.millisecondsSince1970 - now.millisecondsSince1970
    let outcome = await client.send(
      request, options.environment, token, timeout: TimeSpan(milliseconds: max(rest, 1))
    ).map { answer in
      var answer = answer
      answer.exchange = now...max(now, client.clock.now())
      return answer
    }
    if case .success(let answer) = outcome, let skew = answer.skew {
      client.lastSkew.withLock { $0 = skew }
    }
    return (token, outcome)
  }

  private func carryOut(_ step: NextStep, _ token: String) async throws(AppStoreServerError) {
    switch step {
    case .done: break
    case .fail(let error): throw error
    case .repeatAfter(_, let error) where options.isSingle: throw error
    case .repeatAfter(let rest, let error):
      client.tell(.repeating(error, rest: rest), key)
      try await self.rest(rest, or: error)
    case .pause(let until):
      client.tell(.paused(until: until), key)
      client.budget.pause(key, until: until)
      if options.isSingle { throw .rateLimited(until: until) }
    case .renewToken(let skew):
      let isCorrected = client.mint.refuse(token, skew: skew)
      client.tell(isCorrected ? .clockCorrected(client.mint.skew) : .tokenRenewed, key)
      guard options.isSingle else { break }
      guard isCorrected else { throw .unauthorized(await client.judgeKey(options.environment)) }
      throw .unauthorized(
        Unauthorized(options.environment, .undetermined, skew: client.mint.skew))
    case .refuseToken: throw .unauthorized(await client.judgeKey(options.environment))
    }
  }

  /// Rests, unless the patience would be over by then.
  private func rest(
    _ rest: TimeSpan, or error: AppStoreServerError
  ) async throws(AppStoreServerError) {
    let moment = client.clock.now().adding(rest)
    guard moment < deadline else { throw error }
    await client.clock.sleep(moment)
    if Task.isCancelled { throw .cancelled }
  }
}

extension AppStoreServerClient {
  fileprivate func send(
    _ request: APIRequest, _ environment: ServerEnvironment, _ token: String, timeout: TimeSpan
  ) async -> Result<HTTPAnswer, TransportFailure> {
    var headers = ["Authorization: Bearer " + token, "Accept: application/json"]
    headers.append("User-Agent: clawback")
    if request.body != nil { headers.append("Content-Type: application/json") }
    let call = HTTPCall(
      method: request.endpoint.method, url: settings.hosts.base(environment) + request.target,
      headers: headers, body: request.body, timeout: timeout,
      mayBeRepeated: request.endpoint.mayBeRepeated)
    do throws(TransportFailure) {
      return .success(try await transport.send(call))
    } catch {
      return .failure(error)
    }
  }
}
