import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Refunds as Apple signalled them, chain by chain.
struct RefundRoutes {
  private static let path = "/v1/refunds"

  let readers: ReaderPool

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try refunds(call) }
        .reading(.app, .after, .limit, .format)
    ]
  }

  private func refunds(_ call: Call) throws(Problem) -> HTTPResponse {
    let scope = try call.scope()
    let isCSV = try call.wantsCSV()
    let after = try call.number("after", in: 0...Int64.max, default: 0)
    let limit = try call.number("limit", in: 1...500, default: 100)
    let page = try readers.read { (reader) throws(StoreError) in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.refunds(in: scope, afterChain: after, limit: Int(limit))
      }
    }
    guard isCSV else { return .json(Self.json(page.refunds, next: page.next)) }
    return .csv(Self.table(page.refunds), next: page.next.map { link($0, limit, scope) })
  }

  private func link(_ next: Int64, _ limit: Int64, _ scope: Scope) -> String {
    "\(Self.path)?app=\(scope.bundleId)&format=csv&limit=\(limit)&after=\(next)"
  }

  private static func json(_ refunds: [ListedRefund], next: Int64?) -> [UInt8] {
    JSONWriter.page("refunds", refunds, next: next) { $0.refund($1) }
  }

  private static func table(_ refunds: [ListedRefund]) -> CSVText {
    var table = CSVText(columns: [
      "originalTransactionId", "customer", "transactionId", "productId", "refundedAtMs",
      "revocationClass", "revokedPercentMilliunits", "stands", "netRefundMilliunits", "currency",
    ])
    for listed in refunds {
      let refund = listed.refund
      table.append([
        listed.chain.originalTransactionId, listed.customer?.text ?? "", refund.key.transactionId,
        refund.productId, String(refund.key.revocationDate.millisecondsSince1970),
        refund.revocationClass?.rawValue ?? "",
        refund.share.map { String($0.percentMilliunits) } ?? "", String(refund.stands),
        refund.netRefund.map { String($0.milliunits) } ?? "",
        refund.netRefund?.currency.code ?? "",
      ])
    }
    return table
  }
}

extension JSONWriter {
  fileprivate mutating func refund(_ listed: ListedRefund) {
    object { writer in
      writer.member("originalTransactionId", listed.chain.originalTransactionId)
      writer.member("customer", listed.customer?.text)
      writer.members(of: listed.refund)
    }
  }
}
