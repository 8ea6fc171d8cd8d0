/// Purchases and refunds around one day, prepared for many comparisons.
struct FaultScan {
  /// Purchases with the same marks, and the days that they lived through in each window.
  private struct Cell {
    let key: FaultMarks.Key
    var days: [Ages]
  }

  private struct Refund {
    let key: FaultMarks.Key
    let step: Int
    let day: UTCDay
  }

  /// Purchases that are refunded alike, but for their age: of one product in one storefront.
  private struct Kind: Hashable {
    let product: Int32
    let storefront: Int32
  }

  /// The base rate of one kind: refunds and the days that purchases lived through.
  private struct Base {
    var refunds = Ages()
    var days = Ages()
  }

  let day: UTCDay
  let windows: [FaultWindow]
  private(set) var marks = FaultMarks()
  private var cells: [Cell] = []
  private var refunds: [Refund] = []
  /// By window.
  private var base: [[Kind: Base]] = []
  private var groups = 0

  init(day: UTCDay, _ purchases: [PurchaseCount], _ refunds: [FaultRefund]) {
    self.day = day
    windows = FaultWatch.windows.map { FaultWindow(first: day.adding(1 - $0), last: day) }
    base = windows.map { _ in [:] }
    take(purchases)
    take(refunds)
    let living = cells.filter { $0.days.contains { $0 != Ages() } }
    groups = living.reduce(into: Set()) { $0.formUnion($1.key.groups) }.count
    cells = living
  }

  /// How many groups are compared, in all windows.
  var hypotheses: Int { groups * windows.count }

  private mutating func take(_ purchases: [PurchaseCount]) {
    let oldest = FaultWatch.firstPurchaseDay(for: day)
    var places: [FaultMarks.Key: Int] = [:]
    var lives: [UTCDay: (inside: [Ages], before: [Ages])] = [:]
    for purchase in purchases {
      let bought = purchase.cell.purchasedOn
      guard bought >= oldest, bought <= day else { continue }
      let key = marks.key(of: purchase.cell)
      let life =
        lives[bought]
        ?? (
          windows.map { Ages(daysOf: bought, in: $0.range) },
          windows.map { Ages(daysOf: bought, in: $0.reference) }
        )
      lives[bought] = life
      let place = places[key] ?? cells.count
      if place == cells.count {
        places[key] = place
        cells.append(Cell(key: key, days: windows.map { _ in Ages() }))
      }
      for window in windows.indices {
        cells[place].days[window] &+= life.inside[window] &* purchase.purchases
        base[window][kind(of: key), default: Base()].days &+=
          life.before[window] &* purchase.purchases
      }
    }
  }

  private mutating func take(_ all: [FaultRefund]) {
    for refund in all where (0...FaultWatch.greatestAge).contains(refund.age) {
      let taken = Refund(
        key: marks.key(of: refund.cell), step: Ages.step(of: refund.age), day: refund.refundedOn)
      for (window, days) in windows.enumerated() where days.reference.contains(taken.day.number) {
        base[window][kind(of: taken.key), default: Base()].refunds[taken.step] &+= 1
      }
      if windows.contains(where: { $0.range.contains(taken.day.number) }) { refunds.append(taken) }
    }
  }

  private func kind(of key: FaultMarks.Key) -> Kind {
    Kind(product: key.product, storefront: key.storefront)
  }

  /// Leaves out refunds that are explained, but not of the reference: what happened is the base rate.
  mutating func drop(_ cluster: FaultCluster) {
    guard let key = marks.key(of: cluster.group) else { return }
    refunds.removeAll {
      key.contains($0.key) && cluster.firstDay <= $0.day && $0.day <= cluster.lastDay
    }
  }

  /// Every comparison that could be an alarm.
  func trials() -> [FaultTrial] {
    windows.flatMap { window in
      let hit = refunds.filter { window.range.contains($0.day.number) }.flatMap(\.key.groups)
      return Set(hit).compactMap { trial($0, window) }
    }
  }

  /// `nil` where too few refunds came to stand out: fewer than two, or near the mean.
  func trial(_ group: FaultMarks.Key, _ window: FaultWindow) -> FaultTrial? {
    let inside = refunds.filter { window.range.contains($0.day.number) && group.contains($0.key) }
    guard inside.count >= 2, let place = windows.firstIndex(of: window) else { return nil }
    let (tail, expected) = tail(group, place, inside)
    let isNear = Double(inside.count) < tail.mean + 1.5 * tail.variance.squareRoot()
    return isNear
      ? nil
      : FaultTrial(
        group: group, window: window, refunds: Int64(inside.count), expected: expected,
        chance: tail.atLeast(inside.count))
  }

  func lastRefund(of group: FaultMarks.Key, after day: UTCDay) -> UTCDay? {
    refunds.filter { $0.day > day && group.contains($0.key) }.map(\.day).max()
  }

  /// Of the days that windows reach to.
  func count(of group: FaultMarks.Key, from first: UTCDay, until last: UTCDay) -> Int64 {
    Int64(refunds.count { first <= $0.day && $0.day <= last && group.contains($0.key) })
  }

  private func tail(
    _ group: FaultMarks.Key, _ window: Int, _ inside: [Refund]
  ) -> (ExactTail, expected: Double) {
    var own: [Kind: Base] = [:]
    for cell in cells where group.contains(cell.key) {
      own[kind(of: cell.key), default: Base()].days &+= cell.days[window]
    }
    for refund in inside { own[kind(of: refund.key), default: Base()].refunds[refund.step] &+= 1 }
    var tail = ExactTail()
    var expected = 0.0
    // In a fixed order: sums of fractions depend on it in the last place.
    let kinds = own.keys.sorted { ($0.product, $0.storefront) < ($1.product, $1.storefront) }
    for kind in kinds {
      guard let now = own[kind] else { continue }
      let before = base[window][kind] ?? Base()
      for step in Ages().indices {
        tail.add(
          ExactTail.Stratum(
            events: now.refunds[step] &+ before.refunds[step], inside: max(1, now.days[step]),
            outside: before.days[step]))
        guard before.days[step] > 0 else { continue }
        expected +=
          Double(now.days[step]) * Double(before.refunds[step]) / Double(before.days[step])
      }
    }
    return (tail, expected)
  }
}

/// A number for each step of age: 0, 1, 2, 4, 8, 15, 31 and 61 days and more.
typealias Ages = SIMD8<Int64>

extension SIMD8<Int64> {
  static let firstDays = SIMD8<Int64>(0, 1, 2, 4, 8, 15, 31, 61)

  static func step(of age: Int64) -> Int {
    firstDays.indices.last { firstDays[$0] <= age } ?? 0
  }

  /// The days of a range that a purchase lived through, by its age.
  init(daysOf bought: UTCDay, in range: ClosedRange<Int64>) {
    self.init()
    let youngest = Swift.max(0, range.lowerBound - bought.number)
    let oldest = Swift.min(FaultWatch.greatestAge, range.upperBound - bought.number)
    guard youngest <= oldest else { return }
    for step in indices {
      let next = step + 1 < scalarCount ? Self.firstDays[step + 1] : FaultWatch.greatestAge + 1
      self[step] = Swift.max(
        0, Swift.min(oldest, next - 1) - Swift.max(youngest, Self.firstDays[step]) + 1)
    }
  }
}
