import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Costs that recur, as a backend states them.
struct RunningCostRoutes {
  private static let path = "/v1/customers/{customer}/running-costs"

  private static let shape = BodyShape.members(
    "entitlement", "originalTransactionId", "kind", "unit", "units", "periodSeconds",
    "onRevocation"
  ).with("amount", SpendQuestion.amountShape)

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try list(call) },
      Route.write("PUT", Self.path + "/{name}", .spenders, Self.shape) {
        [self] call, completion throws(Problem) in try run(call, completion)
      },
      Route.write("DELETE", Self.path + "/{name}", .spenders, .none) {
        [self] call, completion throws(Problem) in try end(call, completion)
      },
    ].reading(.app)
  }

  private func list(_ call: Call) throws(Problem) -> HTTPResponse {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let costs = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.runningCosts(of: customer)
      }
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.customer(customer)
      writer.name("runningCosts")
      writer.array { writer in for cost in costs { writer.runningCost(cost) } }
    }
    return .json(writer.bytes)
  }

  private func run(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let terms = try Self.terms(
      try call.json(), CustomerKey(scope: try call.scope(), id: try call.customer()),
      call["name"])
    let now = clock.now()
    ledger.write(
      { result in
        switch result {
        case .failure(let error): completion(.failure(Problem(error)))
        case .success(.conflict): completion(.failure(Problem(.runsAlready)))
        case .success(.unknownPurchase): completion(.failure(Problem(.unknownPurchase)))
        case .success(.unitMismatch(let known)): completion(.failure(.otherUnit(known)))
        case .success(.running(let cost)): completion(.success(Self.response(cost)))
        }
      },
      { (recorder) throws(StoreError) in try recorder.run(terms, now: now) })
  }

  private func end(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let (name, now) = (call["name"], clock.now())
    ledger.write(
      { result in
        switch result {
        case .failure(let error): completion(.failure(Problem(error)))
        case .success(nil): completion(.failure(Problem(.unknownRunningCost)))
        case .success(let cost?): completion(.success(Self.response(cost)))
        }
      },
      { (recorder) throws(StoreError) in
        try recorder.endCost(name, of: customer, now: now)
      })
  }

  /// Shape: `{"entitlement" or "originalTransactionId","kind","unit","units","amount",
  /// "periodSeconds","onRevocation"}`.
  private static func terms(
    _ json: JSONValue, _ customer: CustomerKey, _ name: String
  ) throws(Problem) -> RunningCost.Terms {
    let entitlement = try SpendQuestion.word(json, "entitlement", greatest: 255)
    let purchase = try SpendQuestion.word(json, "originalTransactionId", greatest: 255)
    let basis: RunningCost.Basis
    switch (entitlement, purchase) {
    case (let entitlement?, nil): basis = .entitlement(entitlement)
    case (nil, let original?): basis = .purchase(originalTransactionId: original)
    default:
      throw Problem(.malformedBody, "Either entitlement or originalTransactionId says what pays.")
    }
    guard let seconds = json["periodSeconds"]?.integer, (60...31_622_400).contains(seconds) else {
      throw Problem(.malformedBody, "periodSeconds is a number from 60 to 31622400.")
    }
    let word = json["onRevocation"] == nil ? "stop" : json["onRevocation"]?.string ?? ""
    guard let onRevocation = RunningCost.OnRevocation(rawValue: word) else {
      throw Problem(.malformedBody, "onRevocation is stop or flag.")
    }
    return RunningCost.Terms(
      customer: customer, name: name, basis: basis, measure: try SpendQuestion.measure(json),
      cost: try SpendQuestion.cost(json), period: .seconds(seconds), onRevocation: onRevocation)
  }

  private static func response(_ cost: RunningCost) -> HTTPResponse {
    var writer = JSONWriter()
    writer.runningCost(cost)
    return .json(writer.bytes)
  }
}
