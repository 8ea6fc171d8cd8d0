import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Refund cases: what Apple asked, what was answered, what it decided.
struct CaseRoutes {
  private static let path = "/v1/cases"

  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try cases(call) }
        .reading(
          .app, .word("state", of: CaseFilter.states, "Those in one state alone."),
          .text("customer", "Those of one customer alone."), .after, .limit, .format)
    ]
  }

  /// A page of cases in order of opening.
  ///
  /// Filters are applied to the cases of one page, so a page may be short, or empty, and still have
  /// a next one.
  private func cases(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let filter = try CaseFilter(call)
    let isCSV = try call.wantsCSV()
    let now = clock.now()
    let page = try readers.read { (reader) throws(StoreError) in
      try reader.refundCases(in: scope, after: after, limit: Int(limit))
    }
    let next = page.count == Int(limit) ? page.last?.position : nil
    let shown = page.filter { filter.takes($0, at: now) }
    guard isCSV else { return Self.json(shown, next, now) }
    let link = next.map { Self.link($0, limit, scope, call) }
    return Self.csv(shown, next: link, now)
  }

  private static func json(_ cases: [StoredCase], _ next: Int64?, _ now: Timestamp) -> HTTPResponse
  {
    .json(JSONWriter.page("cases", cases, next: next) { $0.refundCase($1, at: now) })
  }

  private static func csv(_ cases: [StoredCase], next: String?, _ now: Timestamp) -> HTTPResponse {
    var table = CSVText(columns: CaseRow.columns)
    for item in cases { table.append(CaseRow.cells(item, at: now)) }
    return .csv(table, next: next)
  }

  /// The same question about the cases that follow.
  private static func link(_ next: Int64, _ limit: Int64, _ scope: Scope, _ call: Call) -> String {
    let filters = ["state", "customer"].compactMap { name in
      call.request.target[name].map { "&\(name)=\(PercentEncoding.text($0))" }
    }
    return "\(path)?app=\(scope.bundleId)&format=csv&limit=\(limit)" + filters.joined()
      + "&after=\(next)"
  }
}

/// What `?state=` and `?customer=` leave.
private struct CaseFilter {
  static let states = ["waiting", "withheld", "answered", "refused", "missed", "closed"]

  private let state: String?
  private let customer: String?

  init(_ call: Call) throws(Problem) {
    state = call.request.target["state"]
    customer = call.request.target["customer"]
    if let state, !Self.states.contains(state) {
      throw Problem(.badParameter, "state is one of \(Self.states.joined(separator: ", ")).")
    }
  }

  func takes(_ item: StoredCase, at now: Timestamp) -> Bool {
    if let customer, item.customer?.text != customer { return false }
    return state.map { item.refundCase.standing(at: now).word == $0 } ?? true
  }
}

/// A case as one line of a table.
private enum CaseRow {
  static let columns = [
    "id", "transactionId", "originalTransactionId", "productId", "customer", "environment", "state",
    "withheldBecause", "reason", "requests", "openedAtMs", "deadlineAtMs", "answerVersion",
    "answerStatus", "errorCode", "errorText", "verdict", "verdictAtMs",
  ]

  static func cells(_ item: StoredCase, at now: Timestamp) -> [String] {
    let refundCase = item.refundCase
    let newest = refundCase.newest
    var because = ""
    let standing = refundCase.standing(at: now)
    if case .withheld(let reason) = standing { because = reason.rawValue }
    return [
      String(item.position), refundCase.transactionId, item.originalTransactionId, item.productId,
      item.customer?.text ?? "", refundCase.scope.environment.rawValue, standing.word, because,
      newest?.question.reason?.rawValue ?? "", String(refundCase.requests.count),
      String(item.openedAt.millisecondsSince1970), text(refundCase.deadline),
      newest?.attempt.map { String($0.version) } ?? "",
      newest?.attempt?.status.map { String($0) } ?? "", newest?.attempt?.errorCode ?? "",
      newest?.attempt?.errorText ?? "", refundCase.verdict?.kind.rawValue ?? "",
      text(refundCase.verdict?.at),
    ]
  }

  private static func text(_ moment: Timestamp?) -> String {
    moment.map { String($0.millisecondsSince1970) } ?? ""
  }
}
