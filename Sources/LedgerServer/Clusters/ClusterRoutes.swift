import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Clusters of refunds for a fault, as they were told.
struct ClusterRoutes {
  private static let path = "/v1/reports/clusters"

  let readers: ReaderPool

  var routes: [Route] {
    [Route.get(Self.path, .readers) { [self] call throws(Problem) in try clusters(call) }]
  }

  private func clusters(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let range = try call.range()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let page = try readers.read { (reader) throws(StoreError) in
      try ClusterPage(reader, scope, range, after: after, limit: Int(limit))
    }
    guard isCSV else { return .json(page.json) }
    let next = try page.next.map { (position) throws(Problem) in
      try call.link(Self.path, keeping: ["from", "until"], limit: limit, after: String(position))
    }
    return .csv(page.table(), next: next)
  }
}
