import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What was spent: recorded afterwards, and listed.
struct SpendReportRoutes {
  private static let path = "/v1/spend"

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock
  let watch: StoreWatch

  var routes: [Route] {
    [
      Route.write(
        "POST", Self.path, .spenders, .list(of: SpendQuestion.shape.with("spentAtMs"))
      ) { [self] call, completion throws(Problem) in
        try report(call, completion)
      },
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try list(call) }
        .reading(
          .text("customer", "Whose spend alone."), .after, .limit, .format),
    ].reading(.app)
  }

  private func report(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let scope = try call.scope()
    let now = clock.now()
    let items = try SpendQuestion.reports(call, scope, now: now)
    let key = try call.requestKey(in: scope)
    watch.bounded(completion) { done in
      ledger.report(items, key: key, now: now) { done(Self.answer($0)) }
    }
  }

  private static func answer(
    _ result: Result<RecordingOutcome, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(.conflict): .failure(Problem(.idempotencyConflict))
    case .success(.unitMismatch(let place, let known)):
      .failure(Problem(.unitMismatch, "Item \(place): its kind is counted in \(known)."))
    case .success(.recorded(let records)), .success(.repeated(let records)):
      .success(.json(json(records, next: nil)))
    }
  }

  private func list(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = Int(try call.number("limit", in: 1...500, default: 100))
    let name = call.request.target["customer"]
    let customer = name.flatMap { CustomerID($0) }.map { CustomerKey(scope: scope, id: $0) }
    guard (name == nil) == (customer == nil) else {
      throw Problem(.badParameter, "customer is a name of 1 to 255 bytes.")
    }
    let records = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        if let customer {
          return try recorder.spendRecords(of: customer, after: after, limit: limit)
        }
        return try recorder.spendRecords(in: scope, after: after, limit: limit)
      }
    }
    let next = records.count == limit ? records.last?.position : nil
    guard isCSV else { return .json(Self.json(records, next: next)) }
    let link = next.map { Self.link($0, limit, scope, name) }
    return .csv(Self.table(records), next: link)
  }

  private static func link(
    _ next: Int64, _ limit: Int, _ scope: Scope, _ customer: String?
  ) -> String {
    let own = customer.map { "&customer=\($0)" } ?? ""
    return "\(path)?app=\(scope.bundleId)&format=csv&limit=\(limit)&after=\(next)\(own)"
  }

  private static func json(_ records: [SpendRecord], next: Int64?) -> [UInt8] {
    JSONWriter.page("spends", records, next: next) { $0.spend($1) }
  }

  /// One line for each charge: what several lots paid has several.
  private static func table(_ records: [SpendRecord]) -> CSVText {
    var table = CSVText(columns: [
      "id", "customer", "authorization", "entitlement", "kind", "unit", "units", "microunits",
      "currency", "creditUnit", "credits", "originalTransactionId", "transactionId", "late",
      "aboveHold", "degraded", "spentAtMs", "recordedAtMs",
    ])
    for record in records {
      for charge in record.charges { table.append(cells(record, charge)) }
    }
    return table
  }

  private static func cells(_ record: SpendRecord, _ charge: SpendRecord.Charge) -> [String] {
    let purpose = record.purpose
    return [
      record.id, record.customer.id.text, record.authorizationId ?? "",
      purpose.entitlement ?? "", purpose.measure.kind, purpose.measure.unit,
      String(purpose.measure.units), String(charge.cost.microunits), record.cost.currency.code,
      purpose.credits?.unit ?? "", String(charge.credits), charge.originalTransactionId ?? "",
      charge.transactionId ?? "", charge.lateness?.rawValue ?? "", String(record.isAboveHold),
      String(record.isDegraded), String(record.spentAt.millisecondsSince1970),
      String(record.recordedAt.millisecondsSince1970),
    ]
  }
}
