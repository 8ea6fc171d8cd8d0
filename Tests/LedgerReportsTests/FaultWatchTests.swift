import AppStoreModel
import LedgerReports
import Testing

struct FaultWatchTests {
  private static let day = UTCDay(20_500)

  private static func cell(
    _ bought: Int64, version: String? = "4.1", product: String = "pro", storefront: String? = "USA"
  ) -> FaultCell {
    FaultCell(
      productId: product, appVersion: version, storefront: storefront,
      purchasedOn: day.adding(bought))
  }

  /// A hundred purchases a day of version 4.1, and from three days ago on of 4.2 instead.
  private static let purchases = (-183...0).map { (bought: Int64) in
    PurchaseCount(cell: cell(bought, version: bought < -3 ? "4.1" : "4.2"), purchases: 100)
  }

  /// A refund of a purchase of the day before, every third day.
  private static let ordinary = stride(from: Int64(-62), through: -2, by: 3).map { refunded in
    FaultRefund(
      cell: cell(refunded - 1, version: refunded - 1 < -3 ? "4.1" : "4.2"),
      refundedOn: day.adding(refunded))
  }

  private static func faults(
    _ count: Int, on day: Int64 = 0, bought: Int64 = -1, version: String? = "4.2"
  ) -> [FaultRefund] {
    (0..<count).map { _ in
      FaultRefund(cell: cell(bought, version: version), refundedOn: Self.day.adding(day))
    }
  }

  private static func look(
    _ refunds: [FaultRefund], at day: UTCDay = day, known: [FaultCluster] = [],
    purchases: [PurchaseCount] = purchases
  ) -> FaultWatch.Finding {
    FaultWatch().look(at: day, purchases, ordinary + refunds, known: known)
  }

  @Test func `nine refunds in two days are told with the version and what was expected`() throws {
    let finding = Self.look(Self.faults(4, on: -1, bought: -2) + Self.faults(5))
    #expect(finding.new.count == 1)
    let cluster = try #require(finding.new.first)
    #expect(
      cluster.sentence
        == "9 refunds for a fault in version 4.2 within 2 days, \(Self.expected(cluster)) expected")
    #expect(cluster.group == FaultGroup(appVersion: .only("4.2")))
    #expect(cluster.expectedThousandths < 1_500)
    #expect(cluster.oneIn > 100_000)
  }

  private static func expected(_ cluster: FaultCluster) -> String {
    let tenths = (cluster.expectedThousandths + 50) / 100
    return tenths == 0 ? "less than 0.1" : "\(tenths / 10).\(tenths % 10)"
  }

  @Test func `what comes at the usual rate is nothing`() {
    #expect(Self.look([]).new.isEmpty)
    #expect(Self.look(Self.faults(2)).new.isEmpty)
    #expect(Self.look([]).hypotheses > 100)
  }

  @Test func `a purchase whose version nobody stated belongs to a group of its own`() {
    let unknown = PurchaseCount(cell: Self.cell(-1, version: nil), purchases: 10)
    let finding = Self.look(
      Self.faults(9, version: nil), purchases: Self.purchases + [unknown])
    #expect(finding.new.map(\.group) == [FaultGroup(appVersion: .only(nil))])
    #expect(finding.new.first?.sentence.contains("in version unknown ") == true)
  }

  @Test func `each cluster is told once, and grows while it goes on`() throws {
    let first = Self.faults(9)
    let told = Self.look(first).new
    #expect(told.count == 1)
    #expect(Self.look(first, known: told).new.isEmpty)
    let same = FaultWatch().look(
      at: Self.day, Self.purchases, Self.ordinary + Self.faults(12), known: told)
    #expect(same.known.map(\.refunds) == [12])
    #expect(same.new.isEmpty)
    let later = first + Self.faults(6, on: 1)
    let finding = FaultWatch().look(
      at: Self.day.adding(1), Self.purchases, Self.ordinary + later, known: told)
    #expect(finding.new.isEmpty)
    #expect(finding.known.map(\.refunds) == [15])
    #expect(finding.known.map(\.lastDay) == [Self.day.adding(1)])
    #expect(finding.known.map(\.firstDay) == told.map(\.firstDay))
    let quiet = FaultWatch().look(
      at: Self.day.adding(1), Self.purchases, Self.ordinary + first, known: told)
    #expect(quiet.known == told)
  }

  @Test func `a fault that follows another is a cluster of its own`() throws {
    let first = Self.faults(9)
    let told = Self.look(first).new
    let later = (0..<9).map { _ in
      FaultRefund(cell: Self.cell(-40), refundedOn: Self.day.adding(2))
    }
    let finding = FaultWatch().look(
      at: Self.day.adding(2), Self.purchases, Self.ordinary + first + later, known: told)
    let cluster = try #require(finding.new.first)
    #expect(finding.new.count == 1)
    #expect(cluster.refunds == 9)
    #expect(later.allSatisfy(cluster.contains) && !first.contains(where: cluster.contains))
  }

  @Test func `a new version is no fault because its purchases are young`() {
    // Every purchase of version 4.2 is at most three days old, and young ones are refunded most: the
    // same refunds that 4.1 had at that age are expected of it.
    let young = (-62...0).flatMap { (refunded: Int64) in
      (0..<3).map { _ in
        FaultRefund(
          cell: Self.cell(refunded - 1, version: refunded - 1 < -3 ? "4.1" : "4.2"),
          refundedOn: Self.day.adding(refunded))
      }
    }
    let finding = FaultWatch().look(at: Self.day, Self.purchases, young)
    #expect(finding.new.isEmpty)
  }

  @Test func `an app without a past gives no alarm`() {
    let purchases = [PurchaseCount(cell: Self.cell(-1), purchases: 100)]
    let finding = FaultWatch().look(at: Self.day, purchases, Self.faults(20, version: "4.1"))
    #expect(finding.new.isEmpty)
    #expect(FaultWatch().look(at: Self.day, [], []).new.isEmpty)
  }

  @Test func `groups are named in words`() {
    let group = FaultGroup(
      productId: .only("pro"), appVersion: .only("4.2"), storefront: .only(nil),
      purchaseWeek: .only(UTCDay(20_500).monday))
    #expect(
      group.name
        == "version 4.2, product pro, storefront unknown, purchases of the week from 2026-02-16")
    #expect(FaultGroup().name == "the whole app")
  }
}
