import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

/// A page of the report on refunds.
struct MoneyPage {
  static let note =
    "Amounts are those that Apple signalled, not accounting: before tax, commission and exchange."

  let scope: Scope
  let period: ReportPeriod
  let lines: [MoneyReport.Line]
  /// The place to go on after; `nil` at the end.
  let next: String?

  init(
    _ reader: LedgerReader, _ scope: Scope, _ period: ReportPeriod, _ range: ReportRange,
    after: MoneyReport.Key?, limit: Int
  ) throws(StoreError) {
    var report = MoneyReport(by: period)
    try ReportWalk(reader: reader).forEach { (recorder, place, limit) throws(StoreError) in
      try recorder.moneyMovements(in: scope, afterChain: place, limit: limit)
    } _: { (movement: MoneyMovement) in
      if range.contains(movement.at) { report.add(movement) }
    }
    let left = report.lines.filter { line in after.map { $0 < line.key } ?? true }
    self.scope = scope
    self.period = period
    lines = Array(left.prefix(limit))
    next = left.count > limit ? lines.last?.key.cursor : nil
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.scope(scope)
      writer.member("by", period.rawValue)
      writer.member("note", Self.note)
      writer.name("lines")
      writer.array { writer in for line in lines { writer.moneyLine(line) } }
      writer.member("next", next)
    }
    return writer.bytes
  }

  func table(leading: [CSVText.Leading] = []) -> CSVText {
    let sums = MoneyColumn.all.flatMap { column in
      column.hasAmount
        ? ["\(column.name)Count", "\(column.name)Unpriced", "\(column.name)Milliunits"]
        : ["\(column.name)Count"]
    }
    var table = CSVText(
      columns: ["periodStartMs", "productId", "currency", "netMilliunits"] + sums,
      leading: leading)
    for line in lines {
      let key = line.key
      let head = [
        String(key.periodStart.millisecondsSince1970), key.productId, key.currency,
        String(line.netMilliunits),
      ]
      table.append(head + MoneyColumn.all.flatMap { Self.cells(line[$0.kind], $0) })
    }
    return table
  }

  private static func cells(_ sum: MoneyReport.Sum, _ column: MoneyColumn) -> [String] {
    column.hasAmount
      ? [String(sum.count), String(sum.unpriced), String(sum.milliunits)] : [String(sum.count)]
  }
}

extension MoneyReport.Key {
  /// Shape: the period's beginning, the currency and the product, with dots between them.
  var cursor: String { "\(periodStart.millisecondsSince1970).\(currency).\(productId)" }

  init(cursor: String) throws(Problem) {
    let parts = cursor.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let moment = Int64(parts[0]) else {
      throw Problem(.badParameter, "after is the next of an earlier answer.")
    }
    self.init(
      periodStart: Timestamp(millisecondsSince1970: moment), productId: String(parts[2]),
      currency: String(parts[1]))
  }
}
