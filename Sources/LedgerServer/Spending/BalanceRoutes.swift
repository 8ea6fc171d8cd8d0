import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What customers have in credits, and what they owe.
struct BalanceRoutes {
  private static let path = "/v1/customers/{customer}"

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.path + "/balances", .readers) { [self] call throws(Problem) in
        try balances(call)
      },
      Route.write("POST", Self.path + "/debts/{debt}/forgive", .administrators, .reason) {
        [self] call, completion throws(Problem) in try forgive(call, completion)
      },
    ].reading(.app)
  }

  private func balances(_ call: Call) throws(Problem) -> HTTPResponse {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let now = clock.now()
    let all = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.balances(of: customer, now: now)
      }
    }
    var writer = JSONWriter()
    writer.balances(all)
    return .json(writer.bytes)
  }

  private func forgive(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let reason = try SpendQuestion.word(try call.json(), "reason", greatest: 1_000)
    guard let reason else { throw Problem(.malformedBody, "reason says why.") }
    let (debt, now) = (call["debt"], clock.now())
    ledger.write(
      { completion($0.found(.unknownDebt)) },
      { (recorder) throws(StoreError) in
        try recorder.forgive(debt, of: customer, note: reason, now: now)
      })
  }
}

extension Result<Bool, StoreError> {
  fileprivate func found(_ missing: ProblemCode) -> Result<HTTPResponse, Problem> {
    switch self {
    case .failure(let error): .failure(Problem(error))
    case .success(false): .failure(Problem(missing))
    case .success(true): .success(.json(Array(#"{"changed":true}"#.utf8)))
    }
  }
}
