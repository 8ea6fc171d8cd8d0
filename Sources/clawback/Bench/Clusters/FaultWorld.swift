import AppStoreSimulator
import Glibc
import LedgerReports

/// An app's purchases and refunds for a fault, day by day, with faults planted among them.
///
/// A release comes every three weeks and is taken up within ten days; of one purchase in seven the
/// version is unknown. Weekends sell a quarter more. A purchase is refunded for a fault with a chance of
/// 0.4 percent, mostly within its first days.
struct FaultWorld {
  static let products = ["pro.monthly", "pro.yearly", "coins", "themes"]
  static let storefronts = ["USA", "JPN", "DEU", "GBR", "FRA", "BRA"]
  /// By day of age: the chance of a refund for a fault, in millionths.
  static let hazard: [Double] = (0...120).map { age in
    switch age {
    case 0: 800
    case 1: 600
    case 2...3: 350
    case 4...7: 160
    case 8...14: 60
    case 15...30: 25
    default: 3
    }
  }

  let purchasesADay: Double
  /// How far the chance of a refund wanders from day to day, in percent.
  let unrest: Double
  private var dice: SeededGenerator
  private(set) var counts: [PurchaseCount] = []
  private(set) var refunds: [SimulatedRefund] = []
  private(set) var faults: [PlantedFault] = []
  private(set) var day: UTCDay
  /// What was sold on each of the last days, oldest first, and the sum so far.
  private var cohorts: [(day: UTCDay, cells: [FaultCell], sums: [Int64])] = []
  private let firstDay: UTCDay

  init(purchasesADay: Int, unrestPercent: Int, seed: UInt64, start: UTCDay = UTCDay(20_000)) {
    self.purchasesADay = Double(purchasesADay)
    unrest = Double(unrestPercent) / 100
    dice = SeededGenerator(seed: seed)
    day = start.adding(-1)
    firstDay = start
  }

  /// Lives through one day more.
  mutating func pass() {
    day = day.adding(1)
    sell()
    let wander = 1 + unrest * Double.random(in: -1...1, using: &dice)
    for cohort in cohorts {
      let age = Int(day.number - cohort.day.number)
      let total = Double(cohort.sums.last ?? 0)
      let count = poisson(total * Self.hazard[age] / 1_000_000 * wander)
      for _ in 0..<count { refund(from: cohort.cells, cohort.sums, nil) }
    }
    suffer()
    forget()
  }

  /// Plants a fault that begins tomorrow.
  mutating func plant(size: Int) {
    let version = versions(on: day).max { $0.share < $1.share }?.name
    let product = Self.products.randomElement(using: &dice) ?? ""
    let storefront = Self.storefronts.randomElement(using: &dice)
    let groups = [
      FaultGroup(appVersion: .only(version)), FaultGroup(productId: .only(product)),
      FaultGroup(storefront: .only(storefront)),
      FaultGroup(purchaseWeek: .only(day.monday)),
      FaultGroup(productId: .only(product), appVersion: .only(version)),
    ]
    faults.append(
      PlantedFault(
        group: groups.randomElement(using: &dice) ?? FaultGroup(), firstDay: day.adding(1),
        days: Int64.random(in: 1...4, using: &dice), size: size))
  }

  private mutating func sell() {
    let weekend = (day.number + 3) % 7 >= 5 ? 1.25 : 0.9
    var cells: [FaultCell] = []
    var sums: [Int64] = []
    for (place, product) in Self.products.enumerated() {
      for (rank, storefront) in Self.storefronts.enumerated() {
        for version in versions(on: day) {
          let share = Self.shares[place] * Self.markets[rank] * version.share
          let count = poisson(purchasesADay * weekend * share)
          guard count > 0 else { continue }
          let cell = FaultCell(
            productId: product, appVersion: version.name, storefront: storefront,
            purchasedOn: day)
          counts.append(PurchaseCount(cell: cell, purchases: Int64(count)))
          cells.append(cell)
          sums.append((sums.last ?? 0) + Int64(count))
        }
      }
    }
    cohorts.append((day, cells, sums))
  }

  private static let shares = [0.4, 0.1, 0.35, 0.15]
  private static let markets = [0.45, 0.2, 0.12, 0.1, 0.08, 0.05]

  private func versions(on day: UTCDay) -> [(name: String?, share: Double)] {
    let age = day.number - firstDay.number
    let (release, since) = (age / 21, age % 21)
    let taken = min(1, 0.1 + 0.09 * Double(since))
    let known = [("4.\(release)", taken), ("4.\(max(0, release - 1))", 1 - taken)]
    let stated = known.filter { $0.1 > 0 }.map { (name: Optional($0.0), share: $0.1 * 6 / 7) }
    return stated + [(name: nil, share: 1.0 / 7)]
  }

  private mutating func refund(from cells: [FaultCell], _ sums: [Int64], _ fault: Int?) {
    guard let all = sums.last, all > 0 else { return }
    let ticket = Int64.random(in: 0..<all, using: &dice)
    let place = sums.firstIndex { $0 > ticket } ?? 0
    refunds.append(
      SimulatedRefund(
        refund: FaultRefund(cell: cells[place], refundedOn: day), fault: fault))
  }

  /// The refunds of the faults that are under way, of purchases of the last week.
  private mutating func suffer() {
    for (number, fault) in faults.enumerated()
    where fault.firstDay <= day && day <= fault.lastDay {
      var cells: [FaultCell] = []
      var sums: [Int64] = []
      for count in counts.reversed() {
        guard count.cell.purchasedOn > day.adding(-8) else { break }
        guard fault.group.contains(count.cell) else { continue }
        cells.append(count.cell)
        sums.append((sums.last ?? 0) + count.purchases)
      }
      let today =
        fault.size / Int(fault.days)
        + (day == fault.lastDay ? fault.size % Int(fault.days) : 0)
      for _ in 0..<today { refund(from: cells, sums, number) }
    }
  }

  private mutating func forget() {
    let oldest = FaultWatch.firstPurchaseDay(for: day)
    cohorts.removeAll { $0.day <= day.adding(1 - Int64(Self.hazard.count)) }
    counts.removeAll { $0.cell.purchasedOn < oldest }
    refunds.removeAll { $0.refund.refundedOn < FaultWatch.firstRefundDay(for: day) }
  }

  /// How often something happens that happens so often on average.
  ///
  /// Source: Knuth, "The Art of Computer Programming", volume 2, section 3.4.1; above 30 in parts.
  private mutating func poisson(_ mean: Double) -> Int {
    if mean > 30 { return poisson(30) + poisson(mean - 30) }
    let limit = exp(-mean)
    var product = Double.random(in: 0..<1, using: &dice)
    var count = 0
    while product > limit {
      count += 1
      product *= Double.random(in: 0..<1, using: &dice)
    }
    return count
  }
}
