import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

/// Reports as an operator asks for them from the command line.
struct ReportOperations: Sendable {
  let ledger: Ledger
  let configuration: Configuration

  /// The answer to one of its commands; `nil` for a command of others.
  func answer(_ request: JSONValue) throws(Problem) -> [UInt8]? {
    switch request["command"]?.string {
    case "report.scopes": return scopeList()
    case "report.signals":
      let (scope, range) = (try scope(request), range(request))
      let page = try read { (reader) throws(StoreError) in try SignalPage(reader, scope, range) }
      return answer(request, page.json, next: nil) { page.table(leading: $0) }
    case "report.clusters": return try page(request, ClusterPage.init(_:_:_:after:limit:))
    case "report.refunds": return try refunds(request)
    case "report.lateSpend": return try page(request, LateSpendPage.init(_:_:_:after:limit:))
    default: return nil
    }
  }

  private func page<Page: ReportPage>(
    _ request: JSONValue,
    _ make: (LedgerReader, Scope, ReportRange, Int64, Int) throws(StoreError) -> Page
  ) throws(Problem) -> [UInt8] {
    let (scope, range) = (try scope(request), range(request))
    let after = request["after"]?.integer ?? 0
    let page = try read { (reader) throws(StoreError) in
      try make(reader, scope, range, after, 500)
    }
    return answer(request, page.json, next: page.next.map { .integer($0) }) {
      page.table(leading: $0)
    }
  }

  private func refunds(_ request: JSONValue) throws(Problem) -> [UInt8] {
    let (scope, range) = (try scope(request), range(request))
    let period = request["by"]?.string.flatMap { ReportPeriod(rawValue: $0) } ?? .month
    let after = try request["after"]?.string.map { (text) throws(Problem) in
      try MoneyReport.Key(cursor: text)
    }
    let page = try read { (reader) throws(StoreError) in
      try MoneyPage(reader, scope, period, range, after: after, limit: 500)
    }
    return answer(request, page.json, next: page.next.map { .string($0) }) {
      page.table(leading: $0)
    }
  }

  /// The page, or as CSV with the app and environment in every row: `{"csv":"…","next":…}`.
  private func answer(
    _ request: JSONValue, _ json: [UInt8], next: JSONValue?,
    table: ([CSVText.Leading]) -> CSVText
  ) -> [UInt8] {
    guard request["format"]?.string == "csv" else { return json }
    let leading = ["app", "environment"].map {
      CSVText.Leading(name: $0, cell: request[$0]?.string ?? "")
    }
    let text = String(decoding: table(leading).bytes, as: UTF8.self)
    let members = [JSONValue.Member("csv", .string(text))]
    return JSONValue.object(members + (next.map { [.init("next", $0)] } ?? [])).json
  }

  private func scopeList() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("scopes")
      writer.array { writer in
        for app in configuration.apps {
          for environment in configuration.environments.map(\.rawValue).sorted() {
            writer.object { writer in
              writer.member("app", app.bundleId)
              writer.member("environment", environment)
            }
          }
        }
      }
    }
    return writer.bytes
  }

  private func scope(_ request: JSONValue) throws(Problem) -> Scope {
    guard let bundleId = request["app"]?.string,
      let environment = request["environment"]?.string
    else { throw Problem(.badParameter, "A report is about an app and an environment.") }
    return Scope(
      realm: ledger.realm, bundleId: bundleId,
      environment: AppStoreEnvironment(rawValue: environment))
  }

  private func range(_ request: JSONValue) -> ReportRange {
    func moment(_ name: String) -> Timestamp? {
      request[name]?.integer.map { Timestamp(millisecondsSince1970: $0) }
    }
    return ReportRange(
      from: moment("fromMs") ?? .distantPast, until: moment("untilMs") ?? .distantFuture)
  }

  private func read<Value>(
    _ body: (LedgerReader) throws(StoreError) -> Value
  ) throws(Problem) -> Value {
    do throws(StoreError) {
      return try body(try ledger.makeReader())
    } catch {
      throw Problem(.storeUnavailable, error.description + ". " + error.advice)
    }
  }
}
