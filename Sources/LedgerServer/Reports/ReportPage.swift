import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// A page of a report that goes on after a position in the ledger.
protocol ReportPage {
  var json: [UInt8] { get }
  /// The position to go on after; `nil` at the end.
  var next: Int64? { get }

  func table(leading: [CSVText.Leading]) -> CSVText
}

extension ReaderPool {
  /// Answers with a page as JSON, or as a table that links to the next one.
  func page<Page: ReportPage>(
    _ call: Call, _ path: String,
    _ make: (LedgerReader, Scope, ReportRange, Int64, Int) throws(StoreError) -> Page
  ) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let range = try call.range()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let page = try read { (reader) throws(StoreError) in
      try make(reader, scope, range, after, Int(limit))
    }
    guard isCSV else { return .json(page.json) }
    let next = try page.next.map { (position) throws(Problem) in
      try call.link(path, keeping: ["from", "until"], limit: limit, after: String(position))
    }
    return .csv(page.table(leading: []), next: next)
  }
}
