import AppStoreModel
import LedgerReports
import Testing

struct ReportPeriodTests {
  @Test(
    arguments: [
      ("2026-11-30T00:00:00Z", "2026-11-30", "2026-11-30", "2026-11-01"),
      ("2026-11-29T23:59:59.999Z", "2026-11-29", "2026-11-23", "2026-11-01"),
      ("2024-02-29T12:00:00Z", "2024-02-29", "2024-02-26", "2024-02-01"),
      ("2026-01-01T00:00:00Z", "2026-01-01", "2025-12-29", "2026-01-01"),
      ("2000-12-31T10:00:00Z", "2000-12-31", "2000-12-25", "2000-12-01"),
      ("1970-01-01T00:00:00Z", "1970-01-01", "1969-12-29", "1970-01-01"),
      ("1969-12-31T23:59:59Z", "1969-12-31", "1969-12-29", "1969-12-01"),
    ])
  func `periods begin at midnight of UTC, weeks on a Monday`(
    moment: String, day: String, week: String, month: String
  ) throws {
    let moment = try #require(Timestamp(rfc3339: moment))
    let starts = ReportPeriod.allCases.map { $0.start(of: moment).rfc3339.prefix(10) }
    #expect(starts.map { String($0) } == [day, week, month])
  }

  @Test(arguments: ReportPeriod.allCases)
  func `every moment lies in a period`(period: ReportPeriod) {
    #expect(period.start(of: .distantPast) <= period.start(of: .distantFuture))
  }

  @Test func `a period's own beginning begins it, over two hundred years`() {
    for day in stride(from: Int64(-36_500), to: 36_500, by: 17) {
      for period in ReportPeriod.allCases {
        let start = period.start(of: UTCDay(day).start)
        #expect(period.start(of: start) == start)
        #expect(start <= UTCDay(day).start)
        #expect(period.start(of: start.subtracting(TimeSpan(milliseconds: 1))) < start)
      }
    }
  }
}
