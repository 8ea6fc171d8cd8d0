import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

/// A page of the report on late spend: chain by chain.
struct LateSpendPage: ReportPage {
  let scope: Scope
  let refunds: [LateRefund]
  /// The chain to go on after; `nil` at the end.
  let next: Int64?

  init(
    _ reader: LedgerReader, _ scope: Scope, _ range: ReportRange, after: Int64, limit: Int
  ) throws(StoreError) {
    let page = try reader.read { (recorder) throws(StoreError) in
      try recorder.lateSpend(in: scope, afterChain: after, limit: limit)
    }
    self.scope = scope
    refunds = page.refunds.filter { range.contains($0.listed.refund.key.revocationDate) }
    next = page.next
  }

  var json: [UInt8] {
    JSONWriter.page(of: scope, "refunds", refunds, next: next) { $0.lateRefund($1) }
  }

  /// A line for each refund and currency that was spent on it; without any spend one line.
  func table(leading: [CSVText.Leading] = []) -> CSVText {
    var table = CSVText(
      columns: [
        "originalTransactionId", "customer", "transactionId", "productId", "refundedAtMs",
        "revocationClass", "stands", "signalledMilliunits", "netRefundMilliunits", "currency",
        "reversedAtMs", "isBackfilled", "firstSeenAtMs", "firstChannel", "deviceAtMs",
        "notificationAtMs", "historyAtMs", "pollAtMs", "importAtMs", "deviceClaimsAtMs",
        "spendCurrency", "beforeMicrounits", "unseenMicrounits", "ignoredMicrounits",
        "afterReversalMicrounits", "stoppedHolds", "stoppedMicrounits",
      ], leading: leading)
    for late in refunds {
      for cells in late.spendCells { table.append(late.cells + cells) }
    }
    return table
  }
}

extension LateRefund {
  fileprivate var cells: [String] {
    let refund = listed.refund
    let words = [
      listed.chain.originalTransactionId, listed.customer?.text ?? "", refund.key.transactionId,
      refund.productId, Self.text(refund.key.revocationDate),
      refund.revocationClass?.rawValue ?? "", String(refund.stands),
      Self.text(signalled?.milliunits), Self.text(refund.netRefund?.milliunits),
      (signalled ?? refund.netRefund)?.currency.code ?? "", Self.text(reversedAt),
      String(sighted.isBackfilled), Self.text(sighted.first?.receivedAt),
      sighted.first?.channel.rawValue ?? "",
    ]
    let channels = [Channel.device, .notification, .history, .poll, .import].map {
      Self.text(sighted.sighting(by: $0)?.receivedAt)
    }
    return words + channels + [Self.text(sighted.sighting(by: .device)?.signedAt)]
  }

  fileprivate var spendCells: [[String]] {
    let parts = [spend.before, spend.unseen, spend.ignored, spend.afterReversal]
    let currencies = Set((parts + [spend.stopped]).flatMap { $0.amounts.map(\.currency) })
    let rows = currencies.sorted().map { currency in
      [currency.code] + parts.map { String($0[currency]) }
        + [String(spend.stoppedHolds), String(spend.stopped[currency])]
    }
    return rows.isEmpty ? [["", "0", "0", "0", "0", String(spend.stoppedHolds), "0"]] : rows
  }

  private static func text(_ moment: Timestamp?) -> String {
    text(moment?.millisecondsSince1970)
  }

  private static func text(_ number: Int64?) -> String {
    number.map { String($0) } ?? ""
  }
}
