/// Looks for clusters of refunds for a fault, each day against the weeks before.
///
/// Windows of 1, 2, 3 and 7 days that end on the day are compared with the 56 days before them, for
/// the whole app, for each product, version, storefront and week of purchase, and for each pair of
/// these. The base rate is the group's own: refunds for each day that a purchase of the same product
/// and storefront was of the same age, since young purchases are refunded more, and a new version or
/// week of purchase has only young ones.
public struct FaultWatch: Sendable {
  /// Of the alarms of one day at most this share is false on average.
  public static let level = 0.001
  public static let windows: [Int64] = [1, 2, 3, 7]
  public static let referenceDays: Int64 = 56
  /// Older purchases are not looked at, since Apple rarely refunds them.
  ///
  /// Unit: days.
  public static let greatestAge: Int64 = 120
  /// A told cluster goes on while its group has less than this chance.
  private static let goingOn = 0.01

  /// The first day of purchases that a look at a day needs.
  public static func firstPurchaseDay(for day: UTCDay) -> UTCDay {
    day.adding(-(referenceDays + 7 + greatestAge))
  }

  /// The first day of refunds that a look at a day needs.
  public static func firstRefundDay(for day: UTCDay) -> UTCDay {
    day.adding(-(referenceDays + 7))
  }

  /// What a look at one day found.
  public struct Finding: Hashable, Sendable {
    /// Clusters that were not told before, the least likely first.
    public let new: [FaultCluster]
    /// Told clusters as they stand now, in the order in which they were given.
    public let known: [FaultCluster]
    /// How many groups and windows were compared.
    public let hypotheses: Int
  }

  public init() {}

  /// Looks at one day.
  ///
  /// - Parameters:
  ///   - day: The last day of every window.
  ///   - purchases: At least those from ``firstPurchaseDay(for:)`` on.
  ///   - refunds: At least those from ``firstRefundDay(for:)`` on.
  ///   - known: Clusters that were told before. Their refunds are not told again, and they grow while
  ///     their group goes on to stand out.
  /// - Returns: What is new, and how the known ones stand now.
  public func look(
    at day: UTCDay, _ purchases: [PurchaseCount], _ refunds: [FaultRefund],
    known: [FaultCluster] = []
  ) -> Finding {
    var scan = FaultScan(day: day, purchases, refunds)
    let grown = known.map { self.grown($0, in: scan) }
    for cluster in grown { scan.drop(cluster) }
    return Finding(new: Self.new(in: &scan), known: grown, hypotheses: scan.hypotheses)
  }

  /// A told cluster as it stands now: refunds of its days that became known later count, and its days
  /// reach on if those since stand out too.
  private func grown(_ told: FaultCluster, in scan: FaultScan) -> FaultCluster {
    guard let group = scan.marks.key(of: told.group) else { return told }
    let inside = scan.count(of: group, from: told.firstDay, until: told.lastDay)
    let cluster = told.reaching(
      told.lastDay, refunds: max(told.refunds, inside), expected: told.expectedThousandths)
    let quiet = scan.day.number - cluster.lastDay.number
    guard quiet > 0, let window = scan.windows.first(where: { $0.days >= quiet }),
      let trial = scan.trial(group, window), trial.chance <= Self.goingOn,
      let last = scan.lastRefund(of: group, after: cluster.lastDay)
    else { return cluster }
    let more = scan.count(of: group, from: cluster.lastDay.adding(1), until: last)
    let days = last.number - cluster.lastDay.number
    return cluster.reaching(
      last, refunds: cluster.refunds + more,
      expected: cluster.expectedThousandths + trial.expectedThousandths * days / window.days)
  }

  /// The strongest cluster first; what it explains is taken away before the next is looked for.
  private static func new(in scan: inout FaultScan) -> [FaultCluster] {
    var trials = scan.trials()
    let control = FalseDiscovery(level: level, hypotheses: scan.hypotheses)
    guard let threshold = control.threshold(trials.map(\.chance)) else { return [] }
    var found: [FaultCluster] = []
    while let best = trials.filter({ $0.chance <= threshold }).min(by: FaultTrial.precedes) {
      let cluster = best.cluster(scan.marks)
      found.append(cluster)
      scan.drop(cluster)
      trials = trials.filter { $0.chance <= threshold && $0.group != best.group }
        .compactMap { scan.trial($0.group, $0.window) }
    }
    return found
  }
}

extension FaultCluster {
  fileprivate func reaching(_ day: UTCDay, refunds: Int64, expected: Int64) -> FaultCluster {
    FaultCluster(
      group: group, firstDay: firstDay, lastDay: day, refunds: refunds,
      expectedThousandths: expected, oneIn: oneIn)
  }
}
