/// One group in one window, compared with its base rate.
struct FaultTrial {
  let group: FaultMarks.Key
  let window: FaultWindow
  let refunds: Int64
  let expected: Double
  /// Of so many refunds or more at the base rate.
  let chance: Double

  /// The less likely first; of those that are alike the one that says most to who looks for the fault,
  /// then the shorter window, then any order, but always the same.
  static func precedes(_ left: FaultTrial, _ right: FaultTrial) -> Bool {
    if left.chance != right.chance { return left.chance < right.chance }
    return left.order.lexicographicallyPrecedes(right.order)
  }

  private var order: [Int64] {
    [
      group.rank, window.days, Int64(group.product), Int64(group.version),
      Int64(group.storefront), Int64(group.week),
    ]
  }

  var expectedThousandths: Int64 { Int64((expected * 1_000).rounded()) }

  func cluster(_ marks: FaultMarks) -> FaultCluster {
    let times = chance > 0 ? (1 / chance).rounded(.down) : .infinity
    return FaultCluster(
      group: marks.group(of: group), firstDay: window.first, lastDay: window.last,
      refunds: refunds, expectedThousandths: expectedThousandths,
      oneIn: times < 9e18 ? Int64(times) : .max)
  }
}

/// Days on which refunds are counted.
struct FaultWindow: Hashable {
  let first: UTCDay
  let last: UTCDay

  var days: Int64 { last.number - first.number + 1 }
  var range: ClosedRange<Int64> { first.number...last.number }

  /// The days that the base rate is taken from.
  var reference: ClosedRange<Int64> {
    (first.number - FaultWatch.referenceDays)...(first.number - 1)
  }
}
