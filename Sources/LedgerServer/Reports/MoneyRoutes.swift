import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerReports
import LedgerStorage

/// What refunds cost: their amounts, the spend that came too late, and how late each channel is.
///
/// Whole reports are read by the pool: they take longer than a loop may be held up.
struct MoneyRoutes {
  private static let refundsPath = "/v1/reports/refunds"
  private static let lateSpendPath = "/v1/reports/late-spend"

  let readers: ReaderPool
  let pool: WorkerPool

  var routes: [Route] {
    [
      later("/v1/reports/signals") { [self] call throws(Problem) in try signals(call) },
      later(Self.refundsPath) { [self] call throws(Problem) in try refunds(call) }.reading(
        .word("by", of: ReportPeriod.allCases.map(\.rawValue), "How long a period is."), .after,
        .limit),
      later(Self.lateSpendPath) { [self] call throws(Problem) in try lateSpend(call) }.reading(
        .after, .limit),
    ].reading(.app, .from, .until, .format)
  }

  private func later(
    _ path: String, _ answer: @escaping @Sendable (Call) throws(Problem) -> HTTPResponse
  ) -> Route {
    Route.ask(path, .readers) { [pool] call, completion throws(Problem) in
      let isQueued = pool.submit {
        do throws(Problem) {
          completion(.success(try answer(call)))
        } catch {
          completion(.failure(error))
        }
      }
      guard isQueued else { throw Problem(.overloaded) }
    }
  }

  private func signals(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let range = try call.range()
    let isCSV = try call.wantsCSV()
    let page = try readers.read { (reader) throws(StoreError) in
      try SignalPage(reader, scope, range)
    }
    return isCSV ? .csv(page.table(), next: nil) : .json(page.json)
  }

  private func refunds(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let range = try call.range()
    let period = try call.period()
    let isCSV = try call.wantsCSV()
    let limit = try call.number("limit", in: 1...500, default: 100)
    let after = try call.request.target["after"].map { (text) throws(Problem) in
      try MoneyReport.Key(cursor: text)
    }
    let page = try readers.read { (reader) throws(StoreError) in
      try MoneyPage(reader, scope, period, range, after: after, limit: Int(limit))
    }
    guard isCSV else { return .json(page.json) }
    let next = try page.next.map { (cursor) throws(Problem) in
      try call.link(
        Self.refundsPath, keeping: ["by", "from", "until"], limit: limit, after: cursor)
    }
    return .csv(page.table(), next: next)
  }

  private func lateSpend(_ call: Call) throws(Problem) -> HTTPResponse {
    try readers.page(call, Self.lateSpendPath, LateSpendPage.init(_:_:_:after:limit:))
  }
}
