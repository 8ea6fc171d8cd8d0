import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage

/// A page of told clusters, in the order of telling.
struct ClusterPage: ReportPage {
  let scope: Scope
  let clusters: [StoredCluster]
  /// The position to go on after; `nil` at the end.
  let next: Int64?

  init(
    _ reader: LedgerReader, _ scope: Scope, _ range: ReportRange, after: Int64, limit: Int
  ) throws(StoreError) {
    let page = try reader.read { (recorder) throws(StoreError) in
      try recorder.clusters(in: scope, after: after, limit: limit)
    }
    self.scope = scope
    clusters = page.filter { range.contains($0.toldAt) }
    next = page.count == limit ? page.last?.position : nil
  }

  var json: [UInt8] {
    JSONWriter.page(of: scope, "clusters", clusters, next: next) { $0.cluster($1) }
  }

  func table(leading: [CSVText.Leading] = []) -> CSVText {
    var table = CSVText(
      columns: [
        "cluster", "productId", "appVersion", "storefront", "purchaseWeek", "firstDay", "lastDay",
        "refunds", "expectedThousandths", "oneIn", "toldAtMs", "summary",
      ], leading: leading)
    for stored in clusters {
      let cluster = stored.cluster
      table.append(
        [String(stored.position)] + cluster.group.cells + [
          cluster.firstDay.text, cluster.lastDay.text, String(cluster.refunds),
          String(cluster.expectedThousandths), String(cluster.oneIn),
          String(stored.toldAt.millisecondsSince1970), cluster.sentence,
        ])
    }
    return table
  }
}

extension FaultGroup {
  fileprivate var cells: [String] {
    var product = ""
    if case .only(let text) = productId { product = text }
    var week = ""
    if case .only(let day) = purchaseWeek { week = day.text }
    return [product, Self.cell(appVersion), Self.cell(storefront), week]
  }

  private static func cell(_ mark: Mark<String?>) -> String {
    switch mark {
    case .any: ""
    case .only(let text): text ?? "unknown"
    }
  }
}
