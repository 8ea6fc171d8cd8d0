import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

/// The report on how late each channel is.
struct SignalPage {
  let scope: Scope
  let report: SignalReport

  init(_ reader: LedgerReader, _ scope: Scope, _ range: ReportRange) throws(StoreError) {
    var refunds: [SightedRefund] = []
    try ReportWalk(reader: reader).forEach { (recorder, place, limit) throws(StoreError) in
      try recorder.sightedRefunds(in: scope, afterChain: place, limit: limit)
    } _: { (refund: SightedRefund) in
      if range.contains(refund.refundedAt) { refunds.append(refund) }
    }
    self.scope = scope
    report = SignalReport(refunds)
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.signals(report, of: scope)
    return writer.bytes
  }

  func table(leading: [CSVText.Leading] = []) -> CSVText {
    var table = CSVText(
      columns: [
        "channel", "brought", "first", "missedAlone", "medianMs", "p95Ms", "worstMs", "refunds",
        "backfilled", "unsighted",
      ], leading: leading)
    for line in report.lines {
      let delays = [line.delays?.median, line.delays?.p95, line.delays?.worst]
      table.append(
        [
          line.channel.rawValue, String(line.brought), String(line.first),
          String(line.missedAlone),
        ] + delays.map { $0.map { String($0.milliseconds) } ?? "" }
          + [report.refunds, report.backfilled, report.unsighted].map { String($0) })
    }
    return table
  }
}
