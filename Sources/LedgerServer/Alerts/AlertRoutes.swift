import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What a person should look at.
struct AlertRoutes {
  let readers: ReaderPool

  var routes: [Route] {
    [
      Route.get("/v1/alerts", .readers) { [self] call throws(Problem) in try alerts(call) }
        .reading(.app, .after, .limit)
    ]
  }

  private func alerts(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let alerts = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.alerts(in: scope, after: after, limit: Int(limit))
      }
    }
    return .json(
      JSONWriter.page("alerts", alerts, next: alerts.last?.position ?? after) { $0.alert($1) })
  }
}

extension JSONWriter {
  fileprivate mutating func alert(_ raised: RaisedAlert) {
    object { writer in
      writer.member("position", raised.position)
      writer.member("kind", raised.alert.kind.rawValue)
      writer.member("field", raised.alert.field)
      writer.member("value", raised.alert.value)
      writer.member("factId", raised.factID)
      writer.member("raisedAtMs", raised.raisedAt.millisecondsSince1970)
    }
  }
}
