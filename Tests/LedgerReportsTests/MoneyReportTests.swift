import AppStoreModel
import EntitlementLedger
import LedgerReports
import Testing

struct MoneyReportTests {
  private static func movement(
    _ kind: MoneyMovement.Kind, _ date: String, _ milliunits: Int64?, _ currency: String? = "USD",
    product: String = "pro"
  ) throws -> MoneyMovement {
    let at = try #require(Timestamp(rfc3339: date + "T12:00:00Z"))
    return MoneyMovement(
      kind: kind, key: RevocationKey(transactionId: "1", revocationDate: at), productId: product,
      at: at,
      amount: currency.flatMap { code in
        milliunits.map { Money(milliunits: $0, currency: Currency(code: code)) }
      }, currency: currency.map(Currency.init(code:)))
  }

  private static func words(_ report: MoneyReport) -> [String] {
    report.lines.map { line in
      let sums = MoneyMovement.Kind.allCases.compactMap { kind -> String? in
        let sum = line[kind]
        return sum.count == 0 ? nil : "\(kind) \(sum.count)/\(sum.unpriced) \(sum.milliunits)"
      }
      let key = line.key
      return "\(key.periodStart.rfc3339.prefix(10)) \(key.productId) \(key.currency): "
        + sums.joined(separator: ", ") + " = \(line.netMilliunits)"
    }
  }

  @Test func `a refund counts on its own date, its reversal on that of the reversal`() throws {
    let report = MoneyReport(
      by: .month,
      [
        try Self.movement(.fullRefund, "2026-10-30", 9_990),
        try Self.movement(.proratedRefund, "2026-10-31", 5_000),
        try Self.movement(.reversal, "2026-11-02", 9_990),
      ])
    #expect(
      Self.words(report) == [
        "2026-10-01 pro USD: fullRefund 1/0 9990, proratedRefund 1/0 5000 = 14990",
        "2026-11-01 pro USD: reversal 1/0 9990 = -9990",
      ])
  }

  @Test func `sums beyond 64 bits stay at the end of the range, with their sign`() throws {
    let greatest = Int64.max
    let out = MoneyReport(
      by: .month,
      [
        try Self.movement(.fullRefund, "2026-10-30", greatest),
        try Self.movement(.fullRefund, "2026-10-30", greatest),
        try Self.movement(.proratedRefund, "2026-10-31", greatest),
      ])
    #expect(out.lines.map(\.netMilliunits) == [greatest])
    let back = MoneyReport(
      by: .month,
      [
        try Self.movement(.reversal, "2026-10-30", greatest),
        try Self.movement(.reversal, "2026-10-30", greatest),
      ])
    #expect(back.lines.map(\.netMilliunits) == [-greatest])
  }

  @Test func `currencies and products are never added up, and what has no price is counted apart`()
    throws
  {
    let report = MoneyReport(
      by: .day,
      [
        try Self.movement(.fullRefund, "2026-10-30", 9_990),
        try Self.movement(.fullRefund, "2026-10-30", nil, nil),
        try Self.movement(.fullRefund, "2026-10-30", 1_500_000, "JPY"),
        try Self.movement(.fullRefund, "2026-10-30", 10, product: "coins"),
        try Self.movement(.fullRefund, "2026-10-30", 10),
      ])
    #expect(
      Self.words(report) == [
        "2026-10-30 coins USD: fullRefund 1/0 10 = 10",
        "2026-10-30 pro : fullRefund 1/1 0 = 0",
        "2026-10-30 pro JPY: fullRefund 1/0 1500000 = 1500000",
        "2026-10-30 pro USD: fullRefund 2/0 10000 = 10000",
      ])
  }

  @Test func `what is no refund is counted and moves no money`() throws {
    let kinds: [MoneyMovement.Kind] = [
      .familyRevocation, .seatRevocation, .bundleMove, .unclassified, .decline,
    ]
    let report = MoneyReport(
      by: .week,
      try kinds.map { try Self.movement($0, "2026-10-30", $0 == .decline ? 9_990 : nil) })
    #expect(report.lines.map(\.netMilliunits) == [0])
    #expect(report.lines.first?[.decline].milliunits == 9_990)
    #expect(report.lines.first.map { line in kinds.map { line[$0].count } } == [1, 1, 1, 1, 1])
  }
}
