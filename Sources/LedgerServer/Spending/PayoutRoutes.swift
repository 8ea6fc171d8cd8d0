import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Payouts that purchases fund: held, paid, and got back.
struct PayoutRoutes {
  private static let path = "/v1/payouts"

  private static let shape = BodyShape.members(
    "originalTransactionId", "transactionId", "payee", "holdDays"
  ).with("amount", SpendQuestion.amountShape)

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock
  let spending: Configuration.Spending

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try list(call) }
        .reading(
          .word("state", of: Payout.State.allCases.map(\.rawValue), "Those in one state alone."),
          .after, .limit, .format),
      Route.write("PUT", Self.path + "/{payout}", .spenders, Self.shape) {
        [self] call, completion throws(Problem) in try state(call, completion)
      },
      Route.write("POST", Self.path + "/{payout}/paid", .spenders, .none) {
        [self] call, completion throws(Problem) in try mark(call, .paid, completion)
      },
      Route.write("POST", Self.path + "/{payout}/recovered", .spenders, .none) {
        [self] call, completion throws(Problem) in try mark(call, .recovered, completion)
      },
    ].reading(.app)
  }

  private func list(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = Int(try call.number("limit", in: 1...500, default: 100))
    let word = call.request.target["state"]
    let state = word.flatMap { Payout.State(rawValue: $0) }
    guard (word == nil) == (state == nil) else {
      let words = Payout.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(.badParameter, "state is one of \(words).")
    }
    let payouts = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.payouts(in: scope, state, after: after, limit: limit)
      }
    }
    let next = payouts.count == limit ? payouts.last?.position : nil
    guard isCSV else { return .json(Self.json(payouts, next: next)) }
    let own = word.map { "&state=\($0)" } ?? ""
    let link = next.map {
      "\(Self.path)?app=\(scope.bundleId)&format=csv&limit=\(limit)&after=\($0)\(own)"
    }
    return .csv(Self.table(payouts), next: link)
  }

  /// Shape: `{"originalTransactionId","transactionId","payee","amount","holdDays"}`.
  private func state(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let json = try call.json()
    let original = try SpendQuestion.word(json, "originalTransactionId", greatest: 255)
    let payee = try SpendQuestion.word(json, "payee", greatest: 255)
    guard let original, let payee, (1...255).contains(call["payout"].utf8.count) else {
      throw Problem(.malformedBody, "originalTransactionId and payee are texts of 1 to 255 bytes.")
    }
    let terms = Payout.Terms(
      scope: try call.scope(), id: call["payout"], originalTransactionId: original,
      transactionId: try SpendQuestion.word(json, "transactionId", greatest: 255) ?? original,
      payee: payee, cost: try SpendQuestion.cost(json))
    let window = try window(json)
    let now = clock.now()
    ledger.write(
      { completion(Self.answer($0)) },
      { (recorder) throws(StoreError) in
        try recorder.state(terms, window: window, now: now)
      })
  }

  private func window(_ json: JSONValue) throws(Problem) -> TimeSpan {
    guard let member = json["holdDays"] else { return spending.refundRisk }
    guard let days = member.integer, (0...3_650).contains(days) else {
      throw Problem(.malformedBody, "holdDays is a number from 0 to 3650.")
    }
    return .days(days)
  }

  private func mark(
    _ call: Call, _ state: Payout.State, _ completion: @escaping Route.Completion
  ) throws(Problem) {
    let (id, scope, now) = (call["payout"], try call.scope(), clock.now())
    ledger.write(
      { completion(Self.answer($0)) },
      { (recorder) throws(StoreError) in try recorder.mark(id, in: scope, state, now: now) })
  }

  private static func answer(
    _ result: Result<PayoutOutcome, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): return .failure(Problem(error))
    case .success(.unknownPayout): return .failure(Problem(.unknownPayout))
    case .success(.unknownPurchase): return .failure(Problem(.unknownPurchase))
    case .success(.conflict): return .failure(Problem(.payoutConflict))
    case .success(.refused(let state)):
      return .failure(Problem(.payoutConflict, "Its state is \(state.rawValue)."))
    case .success(.done(let payout)):
      var writer = JSONWriter()
      writer.payout(payout)
      return .success(.json(writer.bytes))
    }
  }

  private static func json(_ payouts: [Payout], next: Int64?) -> [UInt8] {
    JSONWriter.page("payouts", payouts, next: next) { $0.payout($1) }
  }

  private static func table(_ payouts: [Payout]) -> CSVText {
    var table = CSVText(columns: [
      "id", "state", "customer", "originalTransactionId", "transactionId", "payee", "microunits",
      "dueMicrounits", "refundedMicrounits", "paidMicrounits", "outstandingMicrounits",
      "currency", "statedAtMs", "releaseAtMs", "paidAtMs", "recoveredAtMs", "revokedAtMs",
    ])
    for payout in payouts { table.append(cells(payout)) }
    return table
  }

  private static func cells(_ payout: Payout) -> [String] {
    func text(_ moment: Timestamp?) -> String {
      moment.map { String($0.millisecondsSince1970) } ?? ""
    }
    let terms = payout.terms
    return [
      terms.id, payout.state.rawValue, payout.customer?.text ?? "", terms.originalTransactionId,
      terms.transactionId, terms.payee, String(terms.cost.microunits),
      String(payout.due.microunits), String(payout.refunded.microunits),
      String(payout.paid.microunits), String(payout.outstanding.microunits),
      terms.cost.currency.code, text(payout.statedAt), text(payout.releaseAt),
      text(payout.paidAt), text(payout.recoveredAt), text(payout.revokedAt),
    ]
  }
}
