import AppStoreModel
import EntitlementLedger
import LedgerReports
import Testing

struct SignalReportTests {
  private static let refundedAt = Timestamp(millisecondsSince1970: 1_700_000_000_000)

  /// A refund that channels brought so many seconds after Apple's date.
  private static func refund(
    _ seconds: [(Channel, Int64)], heardOf: Timestamp? = nil
  ) -> SightedRefund {
    SightedRefund(
      refundedAt: refundedAt,
      sightings: seconds.map { (channel, delay) in
        RefundSighting(
          channel: channel, receivedAt: refundedAt.adding(.seconds(delay)), signedAt: refundedAt)
      }, appHeardOfAt: heardOf)
  }

  @Test(arguments: [(Timestamp.distantPast, Int64.max), (.distantFuture, 0)])
  func `a refund of any date has a delay`(date: Timestamp, milliseconds: Int64) throws {
    let refund = SightedRefund(
      refundedAt: date,
      sightings: [
        RefundSighting(channel: .device, receivedAt: Self.refundedAt, signedAt: Self.refundedAt)
      ], appHeardOfAt: nil)
    let first = try #require(refund.first)
    #expect(refund.delay(of: first).milliseconds == milliseconds)
  }

  @Test func `each channel is measured alone, and by what it would have missed`() {
    let report = SignalReport([
      Self.refund([(.device, 10), (.notification, 60)]),
      Self.refund([(.notification, 30), (.history, 3_600)]),
      Self.refund([(.poll, 90_000)]),
    ])
    let words = report.lines.map { line in
      let delays = line.delays.map {
        [$0.median, $0.p95, $0.worst].map { String($0.milliseconds / 1_000) }.joined(separator: "/")
      }
      return "\(line.channel) \(line.brought) \(line.first) \(line.missedAlone) \(delays ?? "-")"
    }
    #expect(
      words == [
        "device 1 1 2 10/10/10", "notification 2 1 1 30/60/60", "history 1 0 2 3600/3600/3600",
        "poll 1 1 2 90000/90000/90000", "import 0 0 3 -",
      ])
    #expect(report.anyChannel?.median == .seconds(30))
    #expect(report.anyChannel?.worst == .seconds(90_000))
  }

  @Test func `quantiles are delays that were measured`() {
    let report = SignalReport((1...100).map { Self.refund([(.notification, $0)]) })
    let delays = report.lines.first { $0.channel == .notification }?.delays
    #expect(delays?.median == .seconds(50))
    #expect(delays?.p95 == .seconds(95))
    #expect(delays?.worst == .seconds(100))
  }

  @Test func `what is older than the app's first day here leaves the delays, not the count`() {
    let later = Self.refundedAt.adding(.days(40))
    let report = SignalReport([
      Self.refund([(.import, 40 * 86_400)], heardOf: later),
      Self.refund([(.notification, 5)], heardOf: Self.refundedAt),
      Self.refund([]),
    ])
    #expect(report.refunds == 3)
    #expect(report.backfilled == 1)
    #expect(report.unsighted == 1)
    #expect(report.anyChannel?.worst == .seconds(5))
    #expect(report.lines.map(\.missedAlone) == [1, 0, 1, 1, 1])
  }

  @Test func `a clock behind Apple's is no time travel`() {
    let refund = Self.refund([(.notification, -7)])
    #expect(refund.sightings.map { refund.delay(of: $0) } == [.zero])
  }

  @Test func `of two channels at one moment the order of the list decides`() {
    let refund = Self.refund([(.poll, 5), (.notification, 5)])
    #expect(refund.first?.channel == .notification)
  }
}
