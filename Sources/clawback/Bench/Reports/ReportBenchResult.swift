/// What the benchmark of reports measured.
struct ReportBenchResult: Encodable {
  struct Report: Encodable {
    let name: String
    /// Unit: milliseconds, rounded to tenths.
    let firstPage: Double
    /// Of all pages together.
    ///
    /// Unit: milliseconds, rounded to tenths.
    let whole: Double
    let pages: Int

    init(name: String, firstPage: Double, whole: Double, pages: Int) {
      self.name = name
      self.firstPage = Self.milliseconds(firstPage)
      self.whole = Self.milliseconds(whole)
      self.pages = pages
    }

    private static func milliseconds(_ seconds: Double) -> Double {
      (seconds * 10_000).rounded() / 10
    }
  }

  let purchases: Int
  let refunds: Int
  let spends: Int
  let reports: [Report]
  /// The greatest memory of the process, with the load generator in it.
  ///
  /// Unit: MiB.
  let peakMemory: Int

  var lines: [String] {
    ["\(purchases) purchases, \(refunds) refunds, \(spends) spends; at most \(peakMemory) MiB"]
      + reports.map { report in
        "\(report.name): \(report.whole) ms in \(report.pages) pages, the first in "
          + "\(report.firstPage) ms"
      }
  }
}
