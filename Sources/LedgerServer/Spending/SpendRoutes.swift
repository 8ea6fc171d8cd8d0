import HTTPListener
import AppStoreModel
import CCrypto
import EntitlementLedger
import LedgerStorage

/// The spend gate.
struct SpendRoutes {
  private static let path = "/v1/spend/authorizations"

  let ledger: Ledger
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.write("POST", Self.path, .spenders) { [self] call, completion throws(Problem) in
        let question = try SpendQuestion(call)
        ledger.authorize(question.request, id: try Self.freshID(), now: clock.now()) { result in
          completion(Self.answer(result))
        }
      },
      Route.write("POST", Self.path + "/{id}/settle", .spenders) {
        [self] call, completion throws(Problem) in
        let cost = try SpendQuestion.cost(try call.json())
        ledger.settle(call["id"], cost: cost, within: Self.reach(of: call), now: clock.now()) {
          completion(Self.answer($0))
        }
      },
      Route.write("POST", Self.path + "/{id}/release", .spenders) {
        [self] call, completion throws(Problem) in
        ledger.release(call["id"], within: Self.reach(of: call), now: clock.now()) {
          completion(Self.answer($0))
        }
      },
    ]
  }

  /// What the key may see: its apps in its environment.
  private static func reach(of call: Call) -> @Sendable (CustomerKey) -> Bool {
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
    _ result: Result<AuthorizationOutcome, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(.decided(let authorization)), .success(.repeated(let authorization)):
      .success(response(authorization, nil))
    case .success(.conflict): .failure(Problem(.idempotencyConflict))
    case .success(.unitMismatch(let known)): .failure(.otherUnit(known))
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

  private static func response(
    _ authorization: SpendAuthorization, _ record: SpendRecord?
  ) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", authorization.id)
      writer.customer(authorization.customer)
      writer.member("entitlement", authorization.entitlement)
      writer.member("decision", authorization.isAllowed ? "allow" : "deny")
      writer.member("reason", authorization.reason)
      writer.member("state", authorization.state.rawValue)
      writer.member("version", authorization.version)
      writer.member("originalTransactionId", authorization.originalTransactionId)
      writer.member("transactionId", authorization.transactionId)
      writer.cost("amount", authorization.cost)
      writer.member("decidedAtMs", authorization.decidedAt.millisecondsSince1970)
      writer.member("lapsesAtMs", authorization.lapsesAt?.millisecondsSince1970)
      guard let record else { return }
      writer.cost("settled", record.cost)
      writer.member("aboveHold", record.isAboveHold)
      writer.member("late", record.lateness?.rawValue)
    }
    return .json(writer.bytes)
  }
}

extension JSONWriter {
  /// In microunits always, and in the unit of prices where that is exact.
  mutating func cost(_ name: String, _ cost: Cost) {
    self.name(name)
    object { writer in
      writer.member("microunits", cost.microunits)
      writer.member("milliunits", cost.money?.milliunits)
      writer.member("currency", cost.currency.code)
    }
  }
}

extension Problem {
  fileprivate static func otherUnit(_ known: String) -> Problem {
    Problem(.unitMismatch, "It is counted in \(known).")
  }
}
