import LedgerReports

/// How well planted faults are found, and how often an alarm is false.
struct ClusterScore: Codable, Hashable {
  struct Size: Codable, Hashable {
    let refunds: Int
    var planted = 0
    var found = 0
    /// From the fault's first day; 0 is the same day.
    var daysUntilFound: [Int] = []
  }

  var days = 0
  var purchasesADay: Int
  var unrestPercent: Int
  var refundsForFaults = 0
  var sizes: [Size]
  var alarms = 0
  /// Alarms of which less than a third of the refunds come from any planted fault.
  var falseAlarms = 0
  /// Alarms about a fault that had been told before.
  var toldAgain = 0

  var falseAlarmsAYear: Double { days == 0 ? 0 : Double(falseAlarms) * 365 / Double(days) }
}

/// Lives through simulated years, looks each day, and keeps the score.
struct ClusterTrial {
  /// Before the first fault there is a whole reference to compare with.
  static let warmUp: Int64 = 100
  private static let sizes = [6, 9, 12, 20]
  private static let daysBetweenFaults = 45

  private var world: FaultWorld
  private var told: [FaultCluster] = []
  private var found: Set<Int> = []
  private(set) var score: ClusterScore

  init(purchasesADay: Int, unrestPercent: Int, seed: UInt64) {
    world = FaultWorld(purchasesADay: purchasesADay, unrestPercent: unrestPercent, seed: seed)
    score = ClusterScore(
      purchasesADay: purchasesADay, unrestPercent: unrestPercent,
      sizes: Self.sizes.map { ClusterScore.Size(refunds: $0) })
    for _ in 0..<Self.warmUp { world.pass() }
  }

  mutating func run(days: Int, isPlanted: Bool = true, _ passed: (Int) -> Void = { _ in }) {
    for day in 0..<days {
      if isPlanted, day % Self.daysBetweenFaults == 0, day + 10 < days {
        let place = day / Self.daysBetweenFaults % Self.sizes.count
        world.plant(size: Self.sizes[place])
        score.sizes[place].planted += 1
      }
      world.pass()
      look()
      passed(day + 1)
    }
    score.days += days
  }

  private mutating func look() {
    score.refundsForFaults += world.refunds.count { $0.refund.refundedOn == world.day }
    let recent = told.filter { $0.lastDay >= world.day.adding(-7) }
    let finding = FaultWatch().look(
      at: world.day, world.counts, world.refunds.map(\.refund), known: recent)
    told = told.filter { $0.lastDay < world.day.adding(-7) } + finding.known + finding.new
    for cluster in finding.new { judge(cluster) }
  }

  private mutating func judge(_ cluster: FaultCluster) {
    score.alarms += 1
    let inside = world.refunds.filter { cluster.contains($0.refund) }
    let byFault = Dictionary(grouping: inside.filter { $0.fault != nil }) { $0.fault ?? 0 }
    guard let (fault, refunds) = byFault.max(by: { $0.value.count < $1.value.count }),
      refunds.count * 3 >= inside.count
    else {
      score.falseAlarms += 1
      return
    }
    guard found.insert(fault).inserted else {
      score.toldAgain += 1
      return
    }
    let planted = world.faults[fault]
    guard let place = score.sizes.firstIndex(where: { $0.refunds == planted.size }) else { return }
    score.sizes[place].found += 1
    score.sizes[place].daysUntilFound.append(
      Int(world.day.number - planted.firstDay.number))
  }
}
