import AppStoreModel
import EntitlementLedger
import Testing

struct CostTests {
  private static func cost(_ microunits: Int64) -> Cost? {
    Cost(microunits: microunits, currency: .init(code: "USD"))
  }

  @Test(
    arguments: [
      ("USD", 9_990, 9_990_000), ("JPY", 1_500_000, 1_500_000_000), ("KWD", 1_250, 1_250_000),
    ] as [(String, Int64, Int64)])
  func `a price is a thousand times as many microunits, whatever decimals its currency has`(
    currency: String, milliunits: Int64, microunits: Int64
  ) {
    let price = Money(milliunits: milliunits, currency: Currency(code: currency))
    let cost = Cost(price)
    #expect(cost?.microunits == microunits)
    #expect(cost?.money == price)
  }

  @Test func `what is no cost is none`() {
    #expect(Self.cost(-1) == nil)
    #expect(Self.cost(Cost.greatest + 1) == nil)
    #expect(Cost(Money(milliunits: .max, currency: Currency(code: "USD"))) == nil)
    #expect(Self.cost(1_001)?.money == nil)
  }

  @Test(
    arguments: [
      (10, [1, 1, 1], [4, 3, 3]), (1_000, [100, 30], [770, 230]), (7, [0, 0], [7, 0]),
      (7, [0, 5], [0, 7]), (0, [3, 4], [0, 0]),
      (Cost.greatest, [Int64.max, Int64.max], [Cost.greatest / 2, Cost.greatest / 2]),
    ] as [(Int64, [Int64], [Int64])])
  func `a split has no rest`(microunits: Int64, weights: [Int64], parts: [Int64]) {
    #expect(Self.cost(microunits)?.split(by: weights).map(\.microunits) == parts)
  }
}
