import AppStoreModel

/// Measures how well clusters of refunds for a fault are found, in simulated years.
struct BenchClustersCommand: Command {
  private let days = Option<Int>.number(
    "days", in: 10...100_000, default: 1_825, "How many days to simulate.")
  private let purchases = Option<Int>.number(
    "purchases", in: 10...100_000, default: 300, "How many purchases a day.")
  private let unrest = Option<Int>.number(
    "unrest", in: 0...90, default: 0,
    "By how many percent the chance of a refund wanders from day to day.")
  private let seed = Option<Int>.number(
    "seed", in: 1...1_000_000, default: 1, "The same seed gives the same years.")
  private let quiet = Option<Bool>.flag("quiet", "Plant no faults: every alarm is false.")

  var usage: Usage {
    Usage(
      "bench clusters", "Count how many planted faults are told, and how many alarms are false.",
      discussion: """
        Simulates an app's purchases and refunds, plants a fault every 45 days, and looks each day as \
        the server does. A fault gives 6, 9, 12 or 20 refunds within one to four days.
        """,
      options: [days, purchases, unrest, seed, quiet, Option<Bool>.json],
      example: "clawback bench clusters --days 365",
      exitCodes: [(.success, "It was measured.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    var trial = ClusterTrial(
      purchasesADay: arguments[purchases], unrestPercent: arguments[unrest],
      seed: UInt64(arguments[seed]))
    trial.run(days: arguments[days], isPlanted: !arguments[quiet])
    let score = trial.score
    if arguments[Option<Bool>.json] {
      try console.print(json: score)
    } else {
      for line in score.lines { console.print(line) }
    }
    return .success
  }
}

extension ClusterScore {
  /// The score as a person reads it.
  fileprivate var lines: [String] {
    let thousandths = Int64((falseAlarmsAYear * 1_000).rounded())
    let falseAYear =
      "\(thousandths / 1_000)." + String(String(1_000 + thousandths % 1_000).dropFirst())
    return [
      "\(days) days of about \(purchasesADay) purchases, \(refundsForFaults) refunds for a fault"
    ] + sizes.filter { $0.planted > 0 }.map(\.line) + [
      "\(alarms) alarms, \(falseAlarms) of them false: \(falseAYear) a year; "
        + "\(toldAgain) about a fault that had been told"
    ]
  }
}

extension ClusterScore.Size {
  fileprivate var line: String {
    let waits = daysUntilFound.sorted()
    let median = waits.isEmpty ? "" : ", after \(waits[(waits.count - 1) / 2]) days (median)"
    return "\(found) of \(planted) faults with \(refunds) refunds were told\(median)"
  }
}
