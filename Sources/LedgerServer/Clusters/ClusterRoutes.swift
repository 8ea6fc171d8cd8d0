import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Clusters of refunds for a fault, as they were told.
struct ClusterRoutes {
  private static let path = "/v1/reports/clusters"

  let readers: ReaderPool

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try clusters(call) }
        .reading(.app, .from, .until, .after, .limit, .format)
    ]
  }

  private func clusters(_ call: Call) throws(Problem) -> HTTPResponse {
    try readers.page(call, Self.path, ClusterPage.init(_:_:_:after:limit:))
  }
}
