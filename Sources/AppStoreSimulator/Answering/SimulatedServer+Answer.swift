package import AppStoreModel

extension SimulatedServer {
  /// Answers one call.
  ///
  /// - Parameters:
  ///   - request: whose path begins with `sandbox` for the sandbox.
  ///   - now: by the host's clock.
  /// - Returns: Apple's answer, or that of a fault.
  package mutating func answer(_ request: APIRequest, at now: Timestamp) -> APIAnswer {
    settle(at: now)
    var request = request
    let isSandbox = request.segments.first == "sandbox"
    if isSandbox { request.segments.removeFirst() }
    let environment = isSandbox ? AppStoreEnvironment.sandbox : .production
    let answer =
      request.segments.first == "control"
      ? control(request, environment, at: now) : answer(request, environment, at: now)
    return dated(answer, now)
  }

  private func dated(_ answer: APIAnswer, _ now: Timestamp) -> APIAnswer {
    var answer = answer
    answer.headers.append(("Date", HTTPDate.text(now.adding(switches.clockSkew))))
    return answer
  }

  private mutating func answer(
    _ request: APIRequest, _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer {
    guard let (endpoint, arguments) = APIEndpoint.called(request.method, request.segments),
      endpoint != .orderLookup || environment == .production
    else { return .text("Not Found", status: 404) }
    counts[environment, default: [:]][endpoint, default: 0] += 1
    let answer = answer(request, endpoint, arguments, environment, at: now)
    journal.add(
      JournalEntry(
        endpoint: endpoint, environment: environment, id: arguments.joined(separator: "/"),
        page: request["paginationToken"] ?? request["revision"],
        status: answer.conduct == .whole ? answer.status : 0, date: storeTime(at: now)))
    return answer
  }

  private mutating func answer(
    _ request: APIRequest, _ endpoint: APIEndpoint, _ arguments: [String],
    _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer {
    let fault = takeFault(endpoint, environment)
    if let fault, !fault.isDone { return fault.answer }
    if let refusal = unauthorized(request, environment, at: now) { return refusal }
    if let refusal = tooMany(endpoint, environment, at: now) { return refusal }
    let call = APICall(
      request: request, environment: environment, arguments: arguments, moment: storeTime(at: now),
      hostTime: now)
    let answer: APIAnswer
    do throws(APIError) {
      answer = try perform(endpoint, call)
    } catch {
      answer = .failure(error)
    }
    return fault?.answer ?? answer
  }

  private mutating func takeFault(
    _ endpoint: APIEndpoint, _ environment: AppStoreEnvironment
  ) -> APIFault? {
    let index = faults.firstIndex { $0.meets(endpoint, environment) }
    guard let index else { return nil }
    let fault = faults[index]
    guard fault.after == 0 else {
      faults[index].after -= 1
      return nil
    }
    faults[index].count -= 1
    if faults[index].count <= 0 { faults.remove(at: index) }
    return fault
  }

  private mutating func unauthorized(
    _ request: APIRequest, _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer? {
    do throws(TokenFault) {
      try key.check(
        request.authorization, bundleId: shelves[environment]?.store.app.bundleId ?? "",
        at: now.adding(switches.clockSkew))
      if environment == .production, !switches.isReleased { throw .notReleased }
      return nil
    } catch {
      refusedTokens = refusedTokens.suffix(99) + [error]
      var answer = APIAnswer.text("Unauthenticated\n", status: 401)
      answer.headers.append(("Simulator-Reason", error.rawValue))
      return answer
    }
  }

  private mutating func tooMany(
    _ endpoint: APIEndpoint, _ environment: AppStoreEnvironment, at now: Timestamp
  ) -> APIAnswer? {
    let moment = storeTime(at: now)
    guard let next = limits.count(endpoint, in: environment, at: moment) else { return nil }
    var answer = APIAnswer.failure(.rateLimitExceeded)
    // The caller waits by its own clock, which does not travel.
    let wait = next.subtracting(travelled).adding(switches.clockSkew)
    answer.headers.append(("Retry-After", String(wait.millisecondsSince1970)))
    return answer
  }

  private mutating func perform(
    _ endpoint: APIEndpoint, _ call: APICall
  ) throws(APIError) -> APIAnswer {
    switch endpoint {
    case .transactionInfo: try transactionInfo(call)
    case .appTransactionInfo: try appTransactionInfo(call)
    case .history: try history(call)
    case .historyV1: try history(call, leavesOutFinished: true)
    case .statuses: try statuses(call)
    case .refundHistory: try refundHistory(call)
    case .refundHistoryV1: try refundHistoryV1(call)
    case .notificationHistory: try notificationHistory(call)
    case .requestTest: try requestTest(call)
    case .testStatus: try testStatus(call)
    case .orderLookup: lookUpOrder(call)
    case .consumption: try takeConsumption(call)
    case .consumptionV1: try takeConsumptionV1(call)
    case .extend: try extendOne(call)
    case .extendMass: try extendMass(call)
    case .massStatus: try massStatus(call)
    case .setAppAccountToken: try setAppAccountToken(call)
    case .finish: try finish(call)
    }
  }
}
