import HTTPListener
import AppStoreModel
import CCrypto
import EntitlementLedger
import LedgerStorage

/// The spend gate.
struct SpendRoutes {
  private static let path = "/v1/spend/authorizations"

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock
  let spending: Configuration.Spending
  let degraded: DegradedGate
  let watch: StoreWatch

  var routes: [Route] {
    [
      Route.write("POST", Self.path, .spenders, SpendQuestion.shape.with("holdSeconds")) {
        [self] call, completion throws(Problem) in
        try authorize(call, completion)
      },
      Route.get(Self.path + "/{id}", .readers) { [self] call throws(Problem) in try find(call) },
      Route.write("POST", Self.path + "/{id}/settle", .spenders, SpendQuestion.useShape) {
        [self] call, completion throws(Problem) in try settle(call, completion)
      },
      Route.write("POST", Self.path + "/{id}/release", .spenders, .none) {
        [self] call, completion throws(Problem) in try release(call, completion)
      },
    ].reading(.app)
  }

  private func authorize(
    _ call: Call, _ completion: @escaping Route.Completion
  ) throws(Problem) {
    let request = try SpendQuestion.request(call, spending)
    let (id, other) = (try Self.freshID(), try Self.freshID())
    guard !watch.isHanging else {
      return degraded.authorize(request, id: other, now: clock.now(), completion: completion)
    }
    let wait = watch.begin { [degraded, clock] in
      degraded.authorize(request, id: other, now: clock.now(), completion: completion)
    }
    ledger.authorize(request, id: id, now: clock.now(), isWanted: { !wait.isGivenUp }) {
      [self] result in
      guard wait.end() else { return takeBack(result, of: request) }
      switch result {
      case .success(let outcome): completion(Self.answer(outcome))
      case .failure(let error):
        completion(degraded.authorize(request, id: id, now: clock.now(), error))
      }
    }
  }

  /// Gives back a hold that came too late for whoever asked for it.
  ///
  /// Who was refused and has a key may ask again with it, and gets that hold.
  private func takeBack(
    _ result: Result<AuthorizationOutcome, StoreError>, of request: SpendRequest
  ) {
    guard case .success(.decided(let late)) = result, late.isAllowed,
      request.idempotency == nil || spending.whenStoreUnreachable == .allow
    else { return }
    ledger.release(late.id, within: { _ in true }, now: clock.now()) { _ in }
  }

  private func find(_ call: Call) throws(Problem) -> HTTPResponse {
    let reach = try Self.reach(of: call)
    if let waiting = degraded.find(call["id"], within: reach, now: clock.now()) { return waiting }
    let found = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.authorizationWithRecord(call["id"], now: clock.now())
      }
    }
    guard let (authorization, record) = found, reach(authorization.customer) else {
      throw Problem(.unknownAuthorization)
    }
    return Self.response(authorization, record)
  }

  private func settle(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let now = clock.now()
    let use = try SpendQuestion.use(try call.json(), now: now)
    let reach = try Self.reach(of: call)
    if let answer = degraded.settle(call["id"], use, within: reach, now: now) {
      return completion(answer)
    }
    let key = try call.requestKey(in: try call.keyScope())
    watch.bounded(completion) { done in
      ledger.settle(call["id"], use, key: key, within: reach, now: now) {
        done(Self.answer($0))
      }
    }
  }

  private func release(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let reach = try Self.reach(of: call)
    if let answer = degraded.release(call["id"], within: reach, now: clock.now()) {
      return completion(answer)
    }
    let key = try call.requestKey(in: try call.keyScope())
    watch.bounded(completion) { done in
      ledger.release(call["id"], key: key, within: reach, now: clock.now()) {
        done(Self.answer($0))
      }
    }
  }

  /// What the key may see: its apps in its environment.
  private static func reach(of call: Call) throws(Problem) -> @Sendable (CustomerKey) -> Bool {
    { [key = call.key] customer in
      guard let key else { return false }
      return key.bundleIds.contains(customer.scope.bundleId)
        && key.environment == customer.scope.environment
    }
  }

  private static func freshID() throws(Problem) -> String {
    var chance = [UInt8](repeating: 0, count: 16)
    guard RAND_bytes(&chance, Int32(chance.count)) == 1 else { throw Problem(.internalError) }
    return "auth_" + Fingerprint(hashing: chance).hexadecimal.prefix(32)
  }

  private static func answer(
    _ outcome: AuthorizationOutcome
  ) -> Result<HTTPResponse, Problem> {
    switch outcome {
    case .decided(let authorization), .repeated(let authorization):
      .success(response(authorization, nil))
    case .conflict: .failure(Problem(.idempotencyConflict))
    case .unitMismatch(let known): .failure(.otherUnit(known))
    }
  }

  private static func answer(
    _ result: Result<SettlementOutcome, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(.done(let authorization, let record)):
      .success(response(authorization, record))
    case .success(.unknownAuthorization): .failure(Problem(.unknownAuthorization))
    case .success(.conflict): .failure(Problem(.idempotencyConflict))
    case .success(.currencyMismatch): .failure(Problem(.currencyMismatch))
    case .success(.unitMismatch(let known)): .failure(.otherUnit(known))
    case .success(.alreadyClosed(let authorization)):
      .failure(Problem(.alreadyClosed, "Its state is \(authorization.state.rawValue)."))
    }
  }

  static func response(
    _ authorization: SpendAuthorization, _ record: SpendRecord?
  ) -> HTTPResponse {
    var writer = JSONWriter()
    writer.authorization(authorization, record)
    return .json(writer.bytes)
  }
}

extension Problem {
  static func otherUnit(_ known: String) -> Problem {
    Problem(.unitMismatch, "It is counted in \(known).")
  }
}

extension Call {
  /// A scope that stands for all that the key reaches, where an id names what is meant.
  fileprivate func keyScope() throws(Problem) -> Scope {
    guard let key else { preconditionFailure("An open route has no scope.") }
    return Scope(
      realm: realm, bundleId: key.bundleIds.sorted().joined(separator: ","),
      environment: key.environment)
  }
}
